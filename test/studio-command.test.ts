/** `skein studio` as a user starts it, without a browser. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { StudioEvent, StudioInfo } from "../src/studio/records.ts";
import { newProject, skein } from "./skein-command.ts";
import { startStudio } from "./studio/command.ts";

let folder: string;
beforeAll(async () => {
  folder = await newProject();
  await writeFile(join(folder, "words.ts"), 'export const greeting = "Hello";\n');
  await writeFile(join(folder, "nothing.ts"), "export const limit = 3;\n");
});
afterAll(() => rm(folder, { recursive: true }));

const desk = (comment: string): string => `import { Agent } from "skein";
import { greeting } from "./words.ts";

/** ${comment} */
function greet(name: string) {
  return greeting + ", " + name;
}
export const desk = new Agent({ name: "Front desk", description: greeting, tools: [greet] });
export const kitchen = new Agent({ name: "Kitchen" });
export default desk;
`;

/** What the page is sent of the agents, whenever that changes. */
async function* infos(url: string): AsyncGenerator<StudioInfo, void> {
  const [address = "", token = ""] = url.split("/#token=");
  const response = await fetch(`${address}/studio/events`, { headers: { "x-skein-studio": token } });
  let rest = "";
  for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const frames = (rest + text).split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames.filter((each) => each.startsWith("data: "))) {
      const event: StudioEvent = JSON.parse(frame.slice(6));
      if (event.type === "info") yield event.info;
    }
  }
}

test("every exported agent is there, and loaded again when its file or one that it imports changes", async () => {
  const file = join(folder, "desk.ts");
  await writeFile(file, desk("Greet a guest."));
  const { url, errors, exit } = await startStudio(folder, {}, "studio", "desk.ts");
  expect(errors()).toContain("offline stand-in");
  const changes = infos(url);
  const next = async (): Promise<StudioInfo> => {
    const { value } = await changes.next();
    if (!value) throw new Error("the stream has ended");
    return value;
  };
  // The page is there before the types of the tools are read.
  const outline = await next();
  expect(outline.agents.map(({ name }) => name)).toEqual(["Front desk", "Kitchen"]);
  const first = outline.agents[0]?.isIncomplete ? await next() : outline;
  expect(first).toMatchObject({ file: "desk.ts", defaultModel: "offline" });
  expect(first.agents.map(({ name }) => name)).toEqual(["Front desk", "Kitchen"]);
  expect(first.agents[0]?.tools).toMatchObject([{ name: "greet", description: "Greet a guest." }]);

  await writeFile(file, desk("Greet somebody."));
  expect((await next()).agents[0]?.tools).toMatchObject([{ description: "Greet somebody." }]);

  await writeFile(join(folder, "words.ts"), 'export const greeting = "Good day";\n');
  expect((await next()).agents[0]?.description).toBe("Good day");

  await writeFile(file, "export const broken = ;\n");
  const broken = await next();
  expect(broken.problem).toContain("desk.ts failed while it was loaded");
  expect(broken.agents.map(({ name }) => name)).toEqual(["Front desk", "Kitchen"]);

  await writeFile(file, desk("Greet them all."));
  const mended = await next();
  expect(mended.problem).toBeUndefined();
  expect(mended.agents[0]?.tools).toMatchObject([{ description: "Greet them all." }]);
  expect(await exit("SIGINT")).toBe(0);
});

test("a file without agents is refused, with what it has instead", async () => {
  const { code, stderr } = await skein(["studio", "nothing.ts", "--port", "0", "--no-open"], folder);
  expect(code).toBe(1);
  expect(stderr).toContain("nothing.ts exports no agent. It exports limit (number).");
});

test("in production it does not start by accident, and executes nothing of the program", async () => {
  await writeFile(join(folder, "loud.ts"), 'console.log("executed");\n');
  const production = { NODE_ENV: "production" };
  const refused = await skein(["studio", "loud.ts", "--port", "0", "--no-open"], folder, production);
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain("If you mean it, set --allow-production.");
});

test("a chat on a page is the studio with the agents of the file, and takes nothing that only a terminal has", async () => {
  await writeFile(join(folder, "desk.ts"), desk("Greet a guest."));
  const { url, exit } = await startStudio(folder, {}, "chat", "desk.ts", "--web");
  const { value } = await infos(url).next();
  expect(value?.agents.map(({ name }) => name)).toEqual(["Front desk", "Kitchen"]);
  expect(await exit("SIGINT")).toBe(0);
  const { stderr } = await skein(["chat", "desk.ts", "--web", "--debug"], folder);
  expect(stderr).toContain("'--web' cannot be used with option '--debug'");
});

test("a store and recordings are shown without a file of agents, and something has to be named that is there", async () => {
  await writeFile(join(folder, "sea.jsonl"), `${JSON.stringify({ skein: "recording", version: 1 })}\n`);
  const { url, exit } = await startStudio(folder, {}, "studio", "--open", "sea.jsonl");
  const { value } = await infos(url).next();
  expect(value).toMatchObject({ agents: [] });
  expect(await exit("SIGINT")).toBe(0);
  const refused = await Promise.all(
    [[], ["--runs", "none.db"], ["--open", "none.jsonl"], ["--open", folder]].map((args) =>
      skein(["studio", ...args, "--port", "0"], folder),
    ),
  );
  expect(refused.map(({ code }) => code)).toEqual([1, 1, 1, 1]);
  expect(refused.map(({ stderr }) => stderr)).toEqual([
    expect.stringContaining("The studio needs something to show: a file that exports agents, --runs <store>"),
    expect.stringContaining('The store "none.db" does not exist. Name the store of the runs: --runs <file>.'),
    expect.stringContaining("There is no recording none.jsonl."),
    expect.stringMatching(/is neither a recording of skein.testing nor a file of results(?![^]*\n {2,}at )/),
  ]);
});

test("an unknown option and a wrong port are refused", async () => {
  expect((await skein(["studio", "desk.ts", "--host", "0.0.0.0"], folder)).stderr).toContain(
    "unknown option '--host'",
  );
  expect((await skein(["studio", "desk.ts", "--port", "x"], folder)).stderr).toContain(
    "Expected a number from 0 to 65535.",
  );
});

test("without a file it receives spans, and says where", async () => {
  const { url, output, exit } = await startStudio(folder, {}, "studio", "--otlp", "0");
  const [, address = ""] = /^OTEL_EXPORTER_OTLP_ENDPOINT=(http:\/\/127\.0\.0\.1:\d+)$/m.exec(output()) ?? [];
  const { value: info } = await infos(url).next();
  expect(info).toMatchObject({ agents: [], otlp: address });
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${address}/v1/traces`, { method: "POST", headers, body: "{}" });
  expect(response.status).toBe(200);
  expect(await exit("SIGINT")).toBe(0);
});

import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { firstProgram } from "./readme-program.ts";
import { newProject, skein, startSkein } from "./skein-command.ts";

let folder: string;
beforeAll(async () => {
  folder = await newProject();
  await writeFile(join(folder, "desk.ts"), desk);
  await writeFile(join(folder, "app.ts"), app);
  await writeFile(join(folder, "slow.ts"), slow);
  await writeFile(join(folder, "nothing.ts"), "export const limit = 3;\n");
});
afterAll(() => rm(folder, { recursive: true }));

const desk = `import { Agent } from "skein";

/** Greet a guest. */
function greet(name: string) {
  return \`Hello, \${name}!\`;
}
export const desk = new Agent({ name: "Front desk", description: "Greets guests.", tools: [greet] });
export const kitchen = new Agent({ name: "Kitchen", tools: [greet] });
export default desk;
`;

const app = `import { Agent } from "skein";
import { serve } from "skein/server";
import { FunctionModel } from "skein/testing";

const agent = new Agent({ name: "Echo", model: new FunctionModel(() => "Echo.") });
export const app = serve({ echo: agent }, { authorize: ({ headers }) => headers.has("x-user") ? { user: "ada" } : 401 });
`;

const slow = `import { Agent, tool } from "skein";
import { ScriptedModel } from "skein/testing";

const wait = tool({ name: "wait", input: { type: "object" }, execute: () => new Promise((resolve) => setTimeout(resolve, 1_500, "Waited.")) });
const model = new ScriptedModel([{ toolCalls: [{ toolName: "wait" }] }, "Done."]);
export const agent = new Agent({ name: "Slow", model, tools: [wait] });
`;

/** Serves until the test is over. */
async function start(...args: string[]): Promise<{
  readonly url: string;
  readonly output: string;
  readonly errors: () => string;
  readonly end: (signal: NodeJS.Signals) => Promise<unknown>;
}> {
  const child = startSkein(["serve", ...args, "--port", "0"], folder);
  onTestFinished(() => void child.kill("SIGKILL"));
  const { stdout, stderr } = child;
  if (!stdout || !stderr) throw new TypeError("the command's output is not piped");
  let errors = "";
  stderr.on("data", (chunk) => (errors += String(chunk)));
  let output = "";
  while (!/ at http:\S+\n/.test(output)) output += String((await once(stdout, "data"))[0]);
  const [url = ""] = /http:\/\/[^\s/]+/.exec(output) ?? [];
  const exit = once(child, "exit");
  return {
    url,
    output,
    errors: () => errors,
    end: async (signal) => {
      child.kill(signal);
      return (await exit)[0];
    },
  };
}

function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream", ...headers },
    body: JSON.stringify(body),
  });
}

test("every exported agent is served under the name of its export, and has its own as well", async () => {
  const { url, output, errors, end } = await start("desk.ts");
  expect(output).toContain(`Serving desk, kitchen at ${url}\n`);
  expect(output).toContain(`curl -N '${url}/runs/desk'`);
  expect(output).toContain(`base URL ${url}/v1, model "desk"`);
  expect(output).toContain(`api: "${url}/chat/desk"`);
  expect(output).toContain("Runs are kept in memory");
  expect(errors()).toContain("keyword rules, not a language model");
  const { agents } = await (await fetch(`${url}/agents`)).json();
  expect(agents).toEqual([{ name: "desk", description: "Greets guests." }, { name: "kitchen" }]);
  for (const name of ["desk", "Front%20desk"]) {
    const answer = await post(`${url}/runs/${name}`, { input: 'Greet "Ada"' });
    expect(await answer.text()).toContain("Hello, Ada!");
  }
  expect(await end("SIGTERM")).toBe(0);
});

test("the README's program asks nothing where it is served, which is as serve({ weather }) has it", async () => {
  const page = await readFile(new URL("../README.md", import.meta.url), "utf8");
  await writeFile(join(folder, "weather.ts"), firstProgram(page));
  const { url, output, errors } = await start("weather.ts");
  expect(output).toContain(`Serving weather at ${url}\n`);
  const answer = await post(`${url}/runs/weather`, { input: 'What is the weather in "Paris"?' });
  expect(await answer.text()).toContain("18 degrees celsius in Paris");
  expect(output + errors()).not.toContain("18 degrees");
});

test("an agent that is the default export alone is served under its own name", async () => {
  await writeFile(
    join(folder, "only.ts"),
    `import { desk, kitchen } from "./desk.ts";
export default kitchen.with({ name: "Bar counter" });
export { desk as counter };
`,
  );
  const { url } = await start("only.ts");
  const { agents } = await (await fetch(`${url}/agents`)).json();
  expect(agents.map(({ name }: { readonly name: string }) => name)).toEqual(["counter", "Bar counter"]);
});

test("an agent that is exported under two names is served under both", async () => {
  await writeFile(
    join(folder, "twice.ts"),
    `import { desk } from "./desk.ts";
export { desk, desk as shop };
export default desk;
`,
  );
  const { url, output } = await start("twice.ts");
  expect(output).toContain(`Serving desk, shop at ${url}\n`);
  for (const name of ["desk", "shop", "Front%20desk"]) {
    const answer = await post(`${url}/runs/${name}`, { input: 'Greet "Ada"' });
    expect(await answer.text()).toContain("Hello, Ada!");
  }
});

test("a run that is under way at a signal comes to its end, and what it came to is in the store", async () => {
  const { url, output, end } = await start("slow.ts", "--store", "runs.db");
  expect(output).toContain("Runs are kept in runs.db.");
  const stream = await post(`${url}/runs/Slow`, { input: "Go.", id: "a" });
  await stream.body?.getReader().read();
  expect(await end("SIGINT")).toBe(0);
  const { stdout } = await skein(["runs", "list"], folder);
  expect(stdout).toMatch(/^completed +"local\/a" Slow/);
});

test("options of a server are those of the command", async () => {
  const { url, end } = await start("desk.ts", "--cors", "https://shop.example", "--protocols", "native");
  const { headers } = await fetch(`${url}/agents`, { headers: { origin: "https://shop.example" } });
  expect(headers.get("access-control-allow-origin")).toBe("https://shop.example");
  expect((await post(`${url}/v1/chat/completions`, {})).status).toBe(404);
  expect(await end("SIGTERM")).toBe(0);
});

test("a server that a file exports is the one that listens", async () => {
  const { url, output, errors, end } = await start("app.ts");
  expect(output).toBe(`Serving at ${url}\n`);
  expect(errors()).toBe("");
  expect((await fetch(`${url}/agents`)).status).toBe(401);
  const answer = await post(`${url}/runs/echo`, { input: "Hi" }, { "x-user": "1" });
  expect(await answer.text()).toContain("Echo.");
  expect(await end("SIGTERM")).toBe(0);
});

test("the network is let in by an option alone", async () => {
  const refused = await skein(["serve", "desk.ts", "--host", "0.0.0.0", "--port", "0"], folder);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      "skein: --host 0.0.0.0 lets others than this machine in. Add --open-to-everyone",
    ),
  });
  const open = await start(
    "desk.ts",
    "--host",
    "0.0.0.0",
    "--open-to-everyone",
    "--allow-host",
    "shop.example",
  );
  const local = open.url.replace("0.0.0.0", "127.0.0.1");
  expect((await fetch(`${local}/agents`)).status).toBe(200);
});

test("what cannot be served is reported in one line", async () => {
  const fail = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await skein(["serve", ...args], folder);
    expect([code, stdout]).toEqual([1, ""]);
    return stderr;
  };
  expect(await fail("missing.ts")).toBe("skein: missing.ts does not exist.\n");
  expect(await fail("nothing.ts")).toBe(
    "skein: nothing.ts exports no agent. It exports limit (number). Write: export const agent = new Agent({ ... })\n",
  );
  expect(await fail("desk.ts", "--port", "many")).toContain("Expected a number from 0 to 65535");
  expect(await fail("desk.ts", "--protocols", "soap")).toContain('protocols has "soap". There are: native');
  expect(await fail("desk.ts", "--cors", "shop.example")).toContain("is not an origin");
  expect(await fail("desk.ts", "--store", "missing/runs.db")).toMatch(
    /^skein: The store of --store cannot be opened: ENOENT: .*runs\.db'\n$/,
  );
  expect(await fail("desk.ts", "--store", ":memory:")).toContain(
    "Leave out --store, which has runs in memory",
  );
  expect(await fail("desk.ts", "--store", "file:r.db?mode=rw")).toContain("Write --store r.db.");
  const elsewhere = await fail("desk.ts", "--store", "mysql://ann:hunter2@host/x");
  expect(elsewhere).toContain("--store postgres://user@host/database");
  expect(elsewhere).not.toContain("hunter2");
  expect(await fail("app.ts", "--store", "runs.db")).toBe(
    "skein: app.ts exports a server, which has options of its own. Leave out --store, and set it in serve().\n",
  );
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "skein";
import { afterAll, expect, test } from "vitest";
import { coder, folder as sample } from "../../examples/coder/agent.ts";
import { newProject } from "../../examples/coder/sample.ts";
import { standIn } from "../../examples/coder/stand-in.ts";
import { startProvider, told, toolNames } from "./chat-provider.ts";
import { expectTranscript } from "./transcript.ts";

const folders: string[] = [sample];
afterAll(() => {
  for (const each of folders) rmSync(dirname(each), { recursive: true, force: true });
});

async function project(): Promise<string> {
  const folder = await newProject();
  folders.push(folder);
  return folder;
}

test("the README's transcript is a real one", async () => {
  await expectTranscript("coder", coder(await project()).with({ model: standIn() }));
});

test("over the wire: the explorer works with the coder's model, and the coder reads its answer alone", async () => {
  const provider = await startProvider([
    [{ tool: "explorer", arguments: { input: "Where is split()?" } }],
    [{ tool: "grep", arguments: { pattern: "function split" } }],
    "In src/money.js.",
    "It is in src/money.js.",
  ]);
  const { text } = await run(coder(await project()), "Where is split()?", { model: provider.model });
  await provider.close();
  expect(text).toBe("It is in src/money.js.");
  const [first, second, third, last] = provider.requests;
  expect(first && toolNames(first)).toContain("explorer");
  expect(second && toolNames(second)).toEqual(["read", "glob", "grep"]);
  expect(third && told(third).at(-1)?.[1]).toContain("src/money.js:2:export function split");
  expect(last && told(last).at(-1)).toEqual(["tool", "In src/money.js."]);
});

/** The example in a process of its own, until it has printed `end`, or to its end. */
async function demo(folder: string, input: string, end?: string): Promise<string> {
  const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
  const child = spawn(
    process.execPath,
    ["--import", file("../from-source.ts"), file("../../examples/coder/demo.ts")],
    { env: { PATH: process.env["PATH"], HOME: process.env["HOME"], CODER_FOLDER: folder } },
  );
  let printed = "";
  child.stdout.on("data", (piece: Buffer) => {
    printed += piece.toString();
    if (end !== undefined && printed.includes(end)) child.kill("SIGKILL");
  });
  if (end === undefined) child.stdin.end(input);
  else child.stdin.write(input);
  await once(child, "close");
  return printed;
}

test("another process goes on where one was killed: at the question of its approval", async () => {
  const folder = await project();
  await demo(folder, "Mend the failing test\n", "Approve bash?");
  const message = join(folder, ".git/logs/HEAD");
  expect(readFileSync(message, "utf8")).not.toContain("Give the rest");

  const printed = await demo(folder, "y\nWhat has changed?\n");
  expect(printed).not.toContain("edit(");
  expect(printed).toMatch(
    /\? bash\(command: "git commit .*> y\n.*the tests pass\..*Give the rest of a split/s,
  );
  expect(readFileSync(message, "utf8")).toContain("Give the rest");
});

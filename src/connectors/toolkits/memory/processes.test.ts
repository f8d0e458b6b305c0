import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Agent, run } from "skein";
import { memorySession } from "skein/sessions";
import { ScriptedModel } from "skein/testing";
import { memory } from "skein/toolkits";
import { expect, test } from "vitest";
import { commands, path } from "./test-memory.ts";

/** What a program of the fixtures sends, in a process of its own. */
function linesOf(fixture: string, args: readonly string[]): Promise<readonly string[]> {
  const program = fileURLToPath(new URL(`fixtures/${fixture}`, import.meta.url));
  const register = fileURLToPath(new URL("../../../../test/from-source.ts", import.meta.url));
  return new Promise((resolve, reject) => {
    const child = fork(program, [...args], { execArgv: ["--import", register] });
    child.on("message", (message) => resolve(Array.isArray(message) ? message.map(String) : []));
    child.on("error", reject);
    // Its message may come after its exit.
    child.on("exit", (code) => {
      if (code !== 0) reject(new Error(`${fixture} ended with ${code}.`));
    });
  });
}

test.each([["sqlite"], ["folder"]])("processes at once lose nothing: %s", async (kind) => {
  const where = path();
  const kit = memory(kind === "sqlite" ? { sqlite: where } : { folder: where });
  await commands(kit, { command: "create", path: "/memories/a.md", file_text: "begin\n" });
  const texts = await Promise.all(["a", "b", "c"].map((name) => linesOf("writer.ts", [kind, where, name])));
  const lines = texts.flat();
  expect(lines.length).toBeGreaterThan(20);
  const [text = ""] = await commands(kit, { command: "view", path: "/memories/a.md" });
  expect(text.match(/[abc] \d+/g)?.toSorted()).toEqual(lines.toSorted());
  await kit.close();
});

test.each([["sqlite"], ["folder"]])(
  "the first calls of a process follow each other, too: %s",
  async (kind) => {
    expect(await linesOf("searcher.ts", [kind, path()])).toEqual(["/memories/a.md: zebra"]);
  },
);

test("a closed memory opens its database again when it is used", async () => {
  const kit = memory({ sqlite: path() });
  await commands(kit, { command: "create", path: "/memories/a.md", file_text: "kept" });
  await kit.close();
  const [text] = await commands(kit, { command: "view", path: "/memories/a.md" });
  expect(text).toContain("kept");
  await kit.close();
});

test("in a run with a session, a search sees what the calls before it have changed", async () => {
  const kit = memory({ sqlite: path() });
  const create = { command: "create", path: "/memories/a.md", file_text: "zebra" };
  const toolCalls = [
    { toolName: "memory", arguments: create },
    { toolName: "search_memory", arguments: { query: "zebra" } },
  ];
  const model = new ScriptedModel([{ toolCalls }, "Done."]);
  const agent = new Agent({ name: "A", model, tools: [kit] });
  const { messages } = await run(agent, "Go.", { session: memorySession() });
  const results = messages.flatMap((message) => (message.role === "tool" ? [message.result.content] : []));
  expect(results[1]).toMatchObject([{ text: "/memories/a.md: zebra" }]);
  await kit.close();
});

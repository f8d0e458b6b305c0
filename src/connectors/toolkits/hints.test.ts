import { fileURLToPath } from "node:url";
import { Agent, run, toolset, type ToolSource } from "skein";
import { codeMode } from "skein/code";
import { skills } from "skein/skills";
import { ScriptedModel } from "skein/testing";
import { arxiv, memory, tavily, todo, wikipedia, workspace } from "skein/toolkits";
import { expect, test } from "vitest";
import { project } from "../workspace/test-workspace.ts";

const root = project({ "money.ts": "one\ntwo\n" });
const files = workspace({ root, sandbox: true });

/** What is said of the tools, by their names. */
async function hintsOf(...sources: readonly ToolSource[]): Promise<Record<string, object>> {
  const tools = await toolset([...sources]).tools({ context: {}, agent: undefined, messages: [] });
  return Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
}

const reads = { readOnlyHint: true, openWorldHint: false };
const searches = { ...reads, tags: ["search"] };
const changes = { destructiveHint: true, openWorldHint: false };
const elsewhere = { readOnlyHint: true, openWorldHint: true };

test("the tools for files say what they do", async () => {
  expect(await hintsOf(files)).toEqual({
    read: reads,
    glob: searches,
    grep: searches,
    edit: changes,
    write: { ...changes, idempotentHint: true },
    bash: { ...changes, tags: ["execute"] },
  });
  const online = workspace({ root, sandbox: { net: true } });
  expect((await hintsOf(online))["bash"]).toMatchObject({ openWorldHint: true });
});

test("the other toolkits say what their tools do", async () => {
  const folder = fileURLToPath(new URL("../../skills/fixtures", import.meta.url));
  expect(
    await hintsOf(memory({ sqlite: ":memory:" }), todo(), arxiv(), wikipedia(), tavily({ apiKey: "x" })),
  ).toEqual({
    memory: changes,
    search_memory: searches,
    write_todos: { tags: ["plan"], destructiveHint: false, idempotentHint: true, openWorldHint: false },
    arxiv_search: { ...elsewhere, tags: ["search"] },
    wikipedia_search: { ...elsewhere, tags: ["search"] },
    wikipedia_summary: elsewhere,
    tavily_search: { ...elsewhere, tags: ["search"] },
  });
  expect(await hintsOf(skills(folder, { functions: false }))).toMatchObject({
    load_skill: reads,
    read_skill_file: reads,
  });
  expect(await hintsOf(codeMode([todo()]))).toMatchObject({ execute_typescript: { tags: ["execute"] } });
});

test("programs of code mode know that results of files and of the memory are texts", async () => {
  const code = [
    'const [read, grep, glob] = [await tools.read({ path: "money.ts" }), await tools.grep({ pattern: "two" }), await tools.glob({ pattern: "*" })];',
    'const edit = await tools.edit({ path: "money.ts", edits: [{ oldText: "two", newText: "2" }] });',
    'const write = await tools.write({ path: "new.ts", content: "3" });',
    'const note = await tools.memory({ command: "create", path: "/memories/a.md", file_text: "a" });',
    'const todos = await tools.write_todos({ todos: [{ content: "x", status: "pending" }] });',
    "return [read.length, grep.trim(), glob.trim(), edit.trim(), write.trim(), note.length > 0, todos.todos.length];",
  ].join("\n");
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "execute_typescript", arguments: { code } }] },
    "Done.",
  ]);
  const tools = [codeMode([workspace({ root }), memory({ folder: project() }), todo()])];
  const { messages } = await run(new Agent({ name: "A", model, tools }), "Go.");
  expect(messages[1]).toMatchObject({
    result: {
      outcome: "success",
      structuredContent: [
        8,
        "money.ts:2:two",
        "money.ts",
        "Replaced 1 text in money.ts.",
        "Wrote new.ts.",
        true,
        1,
      ],
    },
  });
});

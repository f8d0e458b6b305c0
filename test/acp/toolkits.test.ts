import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newProject } from "../skein-command.ts";
import { type Editor, startEditor, textOf } from "./editor.ts";

/** An agent that makes the calls that the user writes, one after the other. */
const file = `import { Agent, tool, toolset } from "skein";
import { FunctionModel } from "skein/testing";
import { memory, todo, workspace } from "skein/toolkits";

const model = new FunctionModel(({ messages }) => {
  const from = messages.findLastIndex(({ role }) => role === "user");
  const { content } = messages[from];
  const calls = JSON.parse(typeof content === "string" ? content : content.map(({ text }) => text).join(""));
  const call = calls[messages.length - 1 - from - messages.slice(from).filter(({ role }) => role === "tool").length];
  return call ? { toolCalls: [{ toolName: call[0], arguments: call[1] }] } : "Done.";
});

const print = tool({
  name: "print",
  description: "Prints.",
  tags: ["execute"],
  input: { type: "object", properties: {} },
  execute: () => "printed",
});

const tools = [workspace({ root: ({ context }) => context.editor.cwd }), memory({ sqlite: ":memory:" }), print, todo()];
export const agent = new Agent({ name: "Coder", model, tools });
export const careful = new Agent({
  name: "Careful",
  model,
  tools: [toolset([todo()]).renamed({ write_todos: "steps" }).withApproval(), agent.asTool({ name: "coder" })],
});
export const fixed = new Agent({ name: "Fixed", model, tools: [workspace({ root: "notes" })] });
`;

let cwd: string;
let home: string;
beforeAll(async () => {
  home = await newProject();
  await writeFile(join(home, "agent.ts"), file);
  await mkdir(join(home, "notes"));
  cwd = await newProject();
  await writeFile(join(cwd, "money.ts"), "const half = (c) => c / 2;\n");
});
afterAll(() => Promise.all([cwd, home].map((folder) => rm(folder, { recursive: true }))));

const open = (...args: readonly string[]): Promise<Editor> =>
  startEditor(["agent.ts", ...args], { cwd: home });

/** The updates of a prompt in the project's folder, in which the agent makes these calls. */
async function callsOf(
  editor: Editor,
  ...calls: readonly (readonly [string, object])[]
): Promise<readonly SessionUpdate[]> {
  const sessionId = await editor.newSession({ cwd });
  await editor.prompt(sessionId, JSON.stringify(calls));
  expect(textOf(editor.updates(sessionId))).toBe("Done.");
  return editor.updates(sessionId);
}

const of = <Kind extends SessionUpdate["sessionUpdate"]>(
  updates: readonly SessionUpdate[],
  kind: Kind,
): readonly Extract<SessionUpdate, { sessionUpdate: Kind }>[] =>
  updates.filter(
    (update): update is Extract<SessionUpdate, { sessionUpdate: Kind }> => kind === update.sessionUpdate,
  );

const todos = [
  { content: "Mend it", status: "in_progress" },
  { content: "Test it", status: "pending" },
];
const entries = todos.map((each) => ({ ...each, priority: "medium" }));

test("the tools of the toolkits have the kinds of what they do, and changes of files are diffs", async () => {
  const updates = await callsOf(
    await open(),
    ["read", { path: "money.ts" }],
    ["grep", { pattern: "half" }],
    ["glob", { pattern: "*.ts" }],
    ["edit", { path: "money.ts", edits: [{ oldText: "c / 2", newText: "Math.floor(c / 2)" }] }],
    ["write", { path: "src/new.ts", content: "export {};\n" }],
    ["memory", { command: "view", path: "/memories" }],
    ["search_memory", { query: "cents" }],
    ["print", {}],
  );
  expect(of(updates, "tool_call").map(({ name, kind }) => [name, kind])).toEqual([
    ["read", "read"],
    ["grep", "search"],
    ["glob", "search"],
    ["edit", "edit"],
    ["write", "edit"],
    ["memory", "edit"],
    ["search_memory", "search"],
    ["print", "execute"],
  ]);
  const path = join(cwd, "money.ts");
  const oldText = "const half = (c) => c / 2;\n";
  const newText = "const half = (c) => Math.floor(c / 2);\n";
  const ends = of(updates, "tool_call_update").filter(({ status }) => status === "completed");
  expect(ends[3]).toMatchObject({
    content: [{ type: "diff", path, oldText, newText }],
    locations: [{ path }],
  });
  expect(ends[4]).toMatchObject({
    content: [{ type: "diff", path: join(cwd, "src/new.ts"), oldText: null, newText: "export {};\n" }],
  });
});

test("a diff names the file where it is, also outside of the editor's folder", async () => {
  const updates = await callsOf(await open("--agent", "fixed"), ["write", { path: "a.md", content: "a" }]);
  expect(of(updates, "tool_call_update").at(-1)).toMatchObject({
    content: [{ type: "diff", path: join(home, "notes/a.md") }],
  });
});

test("a list of tasks is the plan, and no card, also in a conversation that is loaded", async () => {
  const editor = await open();
  const sessionId = await editor.newSession({ cwd });
  await editor.prompt(sessionId, JSON.stringify([["write_todos", { todos }]]));
  expect(of(editor.updates(sessionId), "plan")).toMatchObject([{ entries }]);
  expect(of(editor.updates(sessionId), "tool_call")).toEqual([]);
  const before = editor.updates(sessionId).length;
  await editor.load(sessionId);
  const loaded = editor.updates(sessionId).slice(before);
  expect(of(loaded, "plan")).toMatchObject([{ entries }]);
  expect(of(loaded, "tool_call")).toEqual([]);
});

test("a list that fails, waits for approval or is that of an agent within the run is a card", async () => {
  const failing = await callsOf(await open(), ["write_todos", { todos: [{ content: "", status: "x" }] }]);
  expect(of(failing, "plan")).toEqual([]);
  expect(of(failing, "tool_call")).toMatchObject([{ name: "write_todos", status: "failed" }]);
  expect(of(failing, "tool_call_update").at(-1)).toMatchObject({ status: "failed" });
  const editor = await open("--agent", "careful");
  const waiting = await callsOf(editor, ["steps", { todos }]);
  expect(editor.permissions).toHaveLength(1);
  expect(of(waiting, "tool_call")).toMatchObject([{ name: "steps", status: "pending" }]);
  expect(of(waiting, "tool_call_update").at(-1)).toMatchObject({ status: "completed" });
  expect(of(waiting, "plan")).toMatchObject([{ entries }]);
  const inner = JSON.stringify([["write_todos", { todos }]]);
  const within = await callsOf(editor, ["coder", { input: inner }]);
  expect(of(within, "plan")).toEqual([]);
  expect(of(within, "tool_call").map(({ name }) => name)).toEqual(["coder", "write_todos"]);
});

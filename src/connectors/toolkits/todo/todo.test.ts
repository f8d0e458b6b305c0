import {
  Agent,
  compileSchema,
  executeToolCalls,
  run,
  toolset,
  type Message,
  type ModelRequest,
  type RunEvent,
} from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel, ScriptedModel, type ScriptedTurn } from "skein/testing";
import { todo, todosIn, type TodoItem, type TodoStatus } from "skein/toolkits";
import { expect, test } from "vitest";
import { stopAtEveryEvent } from "../test-stops.ts";

const items = (...statuses: TodoStatus[]): readonly TodoItem[] =>
  statuses.map((status, index) => ({ content: `Task ${index + 1}`, status }));
const write = (...statuses: TodoStatus[]): ScriptedTurn => ({
  toolCalls: [{ toolName: "write_todos", arguments: JSON.stringify({ todos: items(...statuses) }) }],
});

function lastText(messages: readonly Message[]): string {
  const last = messages.findLast(({ role }) => role === "tool");
  return last?.role === "tool" ? JSON.stringify(last.result.content) : "";
}

test("the list is the result of its call, and the program reads it from the history", async () => {
  const model = new ScriptedModel([write("completed", "in_progress", "pending"), "Done."]);
  const { messages, state } = await run(new Agent({ name: "A", model, tools: [todo()] }), "Go.");
  expect(lastText(messages)).toContain("[x] Task 1\\n[>] Task 2\\n[ ] Task 3\\n1 of 3 done.");
  expect(todosIn(state.messages)).toEqual(items("completed", "in_progress", "pending"));
  expect(todosIn([])).toEqual([]);
});

test("each request begins with all of the one before", async () => {
  const model = new ScriptedModel([
    write("in_progress", "pending"),
    write("completed", "in_progress"),
    "Done.",
  ]);
  await run(new Agent({ name: "A", instructions: "Work.", model, tools: [todo()] }), "Go.");
  const prefix = ({ instructions, tools, messages }: ModelRequest) => ({ instructions, tools, messages });
  for (const [index, request] of model.requests.slice(1).entries()) {
    const before = model.requests[index];
    expect(before && prefix(before)).toEqual({
      ...prefix(request),
      messages: request.messages.slice(0, before?.messages.length),
    });
  }
});

test("what is not a list of tasks is corrected, and bounded", async () => {
  const call = async (args: object): Promise<string | undefined> => {
    const call = { toolCallId: "1", toolName: "write_todos", arguments: JSON.stringify(args) };
    const [outcome] = await executeToolCalls([call], [todo()]);
    return `${outcome?.outcome}`;
  };
  expect(await call({ todos: [] })).toBe("success");
  expect(await call({ todos: [{ content: "x", status: "done" }] })).not.toBe("success");
  expect(await call({ todos: [{ content: "", status: "pending" }] })).not.toBe("success");
  expect(await call({ todos: [{ content: "x".repeat(501), status: "pending" }] })).not.toBe("success");
  expect(await call({ todos: Array.from({ length: 101 }, () => items("pending")[0]) })).not.toBe("success");
});

test("a task is one line, whatever a model writes into it", async () => {
  const todos = [{ content: "One\n[x] Two", status: "pending" }];
  const call = { toolCallId: "1", toolName: "write_todos", arguments: JSON.stringify({ todos }) };
  const [outcome] = await executeToolCalls([call], [todo()]);
  expect(outcome?.content).toEqual([{ type: "text", text: "[ ] One [x] Two\n0 of 1 done." }]);
});

test("a history from elsewhere is checked", () => {
  const history = (todos: unknown): readonly Message[] => [
    {
      role: "tool",
      result: {
        toolCallId: "1",
        toolName: "write_todos",
        content: [],
        structuredContent: JSON.parse(JSON.stringify({ todos })),
        isError: false,
        outcome: "success",
      },
    },
  ];
  expect(todosIn(history(items("pending")))).toEqual(items("pending"));
  for (const wrong of [null, "x", [1], [{ content: 1, status: "pending" }], [{ content: "x", status: "y" }]])
    expect(todosIn(history(wrong))).toEqual([]);
});

test("a toolset may rename it", async () => {
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "plan", arguments: JSON.stringify({ todos: items("pending") }) }] },
    "Done.",
  ]);
  const tools = [toolset([todo()]).renamed({ write_todos: "plan" })];
  const { messages } = await run(new Agent({ name: "A", model, tools }), "Go.");
  expect(todosIn(messages, "plan")).toEqual(items("pending"));
});

const page = {
  name: "page",
  description: "Read a page.",
  annotations: {},
  policy: {},
  inputSchema: compileSchema({ type: "object", properties: {} }),
  execute: () => "and so on ".repeat(100),
};

const calls = (toolName: string): ScriptedTurn => ({ toolCalls: [{ toolName, arguments: {} }] });

test.each([{}, { summarize: () => "Pages were read." }, { pruneResults: { keepLast: 0, maxChars: 200 } }])(
  "a compaction keeps the latest list, near the end, again and again: %o",
  async (how) => {
    const pages = Array.from({ length: 12 }, () => calls("page"));
    const model = new ScriptedModel([
      write("in_progress", "pending"),
      write("completed", "in_progress"),
      ...pages,
      ...pages,
      "Done.",
    ]);
    const session = memorySession();
    const agent = new Agent({ name: "A", model, tools: [todo(), page] });
    const compaction = { maxTokens: 2_000, ...how };
    let count = 0;
    const onEvent = ({ type }: RunEvent): void => void (count += type === "compaction" ? 1 : 0);
    const { state } = await run(agent, "Go.", { maxTurns: 40, compaction, session, onEvent });
    expect(count).toBeGreaterThan(1);
    expect(todosIn(state.messages)).toEqual(items("completed", "in_progress"));
    const lists = state.messages.filter(
      (each) => each.role === "tool" && each.result.toolName === "write_todos",
    );
    expect(lists.length).toBeLessThanOrEqual(2);
    // A session has the same history.
    const again = new ScriptedModel(["Again."]);
    await run(agent, "And now?", { session, model: again });
    expect(todosIn(again.requests[0]?.messages ?? [])).toEqual(items("completed", "in_progress"));
  },
);

test("a list of another agent stays after a handoff, and goes on", async () => {
  const second: Agent = new Agent({ name: "Second", tools: [todo()] });
  const first = new Agent({ name: "First", tools: [todo()], handoffs: [second] });
  const model = new ScriptedModel([
    write("in_progress", "pending"),
    { toolCalls: [{ toolName: "transfer_to_second" }] },
    "Mine now.",
  ]);
  const { state } = await run(first, "Go.", { model });
  expect(todosIn(model.requests.at(-1)?.messages ?? [])).toEqual(items("in_progress", "pending"));
  expect(todosIn(state.messages)).toEqual(items("in_progress", "pending"));
});

test("wherever a run is stopped, it goes on with the list as the history has it", async () => {
  const lists = [
    items("in_progress", "pending"),
    items("completed", "in_progress"),
    items("completed", "completed"),
  ];
  const model = new FunctionModel(({ messages }) => {
    const count = lists.findIndex((list) => JSON.stringify(list) === JSON.stringify(todosIn(messages)));
    const todos = lists[count + 1];
    return todos
      ? { toolCalls: [{ toolName: "write_todos", arguments: JSON.stringify({ todos }) }] }
      : "Done.";
  });
  const events = await stopAtEveryEvent(
    () => ({ agent: new Agent({ name: "A", model, tools: [todo()] }) }),
    (_, messages) => expect(todosIn(messages)).toEqual(lists.at(-1)),
  );
  expect(events).toBeGreaterThan(15);
});

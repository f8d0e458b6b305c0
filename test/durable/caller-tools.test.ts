/** Tools that the program which starts a run executes, on SQLite and in memory. */
import { Agent, type ModelRequest, run, type Tool, tool, toolset } from "skein";
import { type CallerTool, type DurableStore, memoryStore, sqliteStore } from "skein/durable";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { streamWithTools } from "../../src/run/stream-with-tools.ts";
import { all, newFile, testRuns } from "./test-runs.ts";

const place = {
  type: "object",
  properties: { place: { type: "string" } },
  required: ["place"],
} as const;

const lookUp: CallerTool = { name: "look_up", description: "Look a place up.", input: place };

const stores: readonly (readonly [string, () => () => DurableStore])[] = [
  ["on SQLite", () => () => sqliteStore(sharedFile)],
  [
    "in memory",
    () => {
      const store = memoryStore();
      return () => store;
    },
  ],
];
const sharedFile = newFile();

/** What the tools of a request to a model are called. */
const namesOf = ({ tools = [] }: ModelRequest): readonly string[] => tools.map(({ name }) => name);

/** A model that calls the tool of the caller for a message of the user, and then says what came of it. */
function caller(requests: ModelRequest[] = []): FunctionModel {
  return new FunctionModel((request) => {
    requests.push(request);
    const last = request.messages.at(-1);
    if (last?.role !== "tool" || last.result.toolName.startsWith("transfer"))
      return { toolCalls: [{ toolName: "look_up", arguments: { place: "Rome" } }] };
    return last.result.content.flatMap((part) => (part.type === "text" ? part.text : [])).join("");
  });
}

/** Add two numbers. */
function add(one: number, other: number): number {
  return one + other;
}

const ping = tool({ name: "ping", input: { type: "object", properties: {} }, execute: () => "pong" });

test.each(stores)(
  "a call of a tool of the caller pauses the run, and its result has it go on in another program (%s)",
  async (_, openStore) => {
    const open = openStore();
    const agent = new Agent({ name: "Guide", model: caller(), tools: [ping] });
    const first = testRuns(open(), { agents: [agent] });
    void first.work();
    const started = await first.start(agent, "Where to?", { tools: [lookUp] });
    const paused = await started.result();
    expect(paused).toMatchObject({
      status: "paused",
      pending: [{ toolName: "look_up", input: { place: "Rome" } }],
    });
    const [call] = paused.pending;
    expect(call).not.toHaveProperty("approvalId");
    await first.close();
    const second = testRuns(open(), { agents: [agent] });
    void second.work();
    await second.get(started.id).resolve(call?.toolCallId ?? "", "sunny");
    expect(await second.get(started.id).result()).toMatchObject({ status: "completed", text: "sunny" });
  },
);

test.each([
  ["a list with a plain function", { add: "add" }, [add, ping]],
  ["a record", { add: "plus" }, { plus: add, ping }],
  ["a list with a toolset", { add: "add" }, [add, toolset([ping], "net")]],
])("agents whose tools are %s have those of the caller behind them", async (_, { add: name }, tools) => {
  const requests: ModelRequest[] = [];
  const agent = new Agent({ name: "Guide", model: caller(requests), tools });
  const app = testRuns(memoryStore(), { agents: [agent] });
  void app.work();
  const started = await app.start(agent, "Where to?", { tools: [lookUp] });
  const { pending } = await started.result();
  await started.resolve(pending[0]?.toolCallId ?? "", { weather: "sunny" });
  expect((await started.result()).text).toBe('{"weather":"sunny"}');
  expect(requests.map(namesOf)).toEqual([
    [name, "ping", "look_up"],
    [name, "ping", "look_up"],
  ]);
  const specs = requests[0]?.tools ?? [];
  expect(specs[0]?.inputSchema).toMatchObject({ required: ["one", "other"] });
  expect(specs[2]).toEqual({ name: "look_up", description: "Look a place up.", inputSchema: place });
});

test("agents that the run is handed off to have them, and agents that a tool runs have not", async () => {
  const requests: ModelRequest[] = [];
  const inner: ModelRequest[] = [];
  const note = (request: ModelRequest) => {
    inner.push(request);
    return "noted";
  };
  const clerk = new Agent({ name: "Clerk", model: new FunctionModel(note) });
  const guide = new Agent({ name: "Guide", model: caller(requests), tools: [ping] });
  const desk = new Agent({
    name: "Desk",
    model: new FunctionModel(({ messages }) =>
      messages.at(-1)?.role === "user"
        ? { toolCalls: [{ toolName: "Clerk", arguments: { input: "Note it." } }] }
        : { toolCalls: [{ toolName: "transfer_to_guide", arguments: {} }] },
    ),
    tools: [clerk.asTool({ name: "Clerk" })],
    handoffs: [guide],
  });
  const app = testRuns(memoryStore(), { agents: [desk] });
  void app.work();
  const started = await app.start(desk, "Where to?", { tools: [lookUp] });
  const { pending } = await started.result();
  expect(pending).toMatchObject([{ toolName: "look_up" }]);
  await started.resolve(pending[0]?.toolCallId ?? "", "sunny");
  expect((await started.result()).text).toBe("sunny");
  expect(requests.map(namesOf)).toEqual([
    ["ping", "look_up"],
    ["ping", "look_up"],
  ]);
  expect(inner.map(namesOf)).toEqual([[]]);
});

test("arguments that do not fit are for the model to correct, and patterns are tested in linear time", async () => {
  const input = {
    type: "object",
    properties: { place: { type: "string", pattern: "^(a+)+$" } },
    required: ["place"],
  } as const;
  const model = new FunctionModel(({ messages }) => {
    const isFirst = messages.at(-1)?.role === "user";
    const name = isFirst ? `${"a".repeat(50_000)}b` : "aaa";
    return { toolCalls: [{ toolName: "look_up", arguments: { place: name } }] };
  });
  const agent = new Agent({ name: "Guide", model });
  const app = testRuns(memoryStore(), { agents: [agent] });
  void app.work();
  const started = await app.start(agent, "Where to?", { tools: [{ ...lookUp, input }] });
  expect((await started.result()).pending).toMatchObject([{ input: { place: "aaa" } }]);
});

test("the tool of an agent is its own, whatever the caller calls its tools", async () => {
  const own = tool({ ...lookUp, input: place, execute: () => "from the agent" });
  const agent = new Agent({ name: "Guide", model: caller(), tools: [own] });
  const other = new Agent({ name: "Other", model: caller(), tools: [toolset([own])] });
  const app = testRuns(memoryStore(), { agents: [agent, other] });
  void app.work();
  await expect(app.start(agent, "Where to?", { tools: [lookUp] })).rejects.toMatchObject({
    code: "invalid-input",
    message:
      'The option tools of start() has a tool "look_up", and so has the agent Guide. Rename one of them.',
  });
  const started = await app.start(other, "Where to?", { tools: [lookUp] });
  expect(await started.result()).toMatchObject({
    status: "completed",
    text: "from the agent",
    warnings: ['The tool "look_up" of the caller is left out: Other has its own by that name.'],
  });
});

test("a name that a toolset's tool has had in a conversation is not the caller's later", async () => {
  let listed: readonly Tool[] = [tool({ ...lookUp, input: place, execute: () => "from the agent" })];
  const set = { name: "net", tools: async () => listed };
  const agent = new Agent({ name: "Guide", model: caller(), tools: [set] });
  const app = testRuns(memoryStore(), { agents: [agent] });
  void app.work();
  const first = await app.start(agent, "Where to?", { session: "ann" });
  expect((await first.result()).text).toBe("from the agent");
  listed = [];
  const second = await app.start(agent, "And now?", { session: "ann", tools: [lookUp] });
  const { warnings } = await second.result();
  expect(warnings).toContainEqual(expect.stringContaining("The tool look_up is left out"));
});

const many = Array.from({ length: 129 }, (_, number) => ({ ...lookUp, name: `t${number}` }));
const looped: Record<string, unknown> = {};
looped["items"] = looped;

test.each<readonly [string, unknown, string]>([
  ["no list", "look_up", "must be a list of tools"],
  ["more than 128", many, "at most 128 tools, not 129"],
  ["an odd name", [{ ...lookUp, name: "look up" }], "tools of start()[0].name must be 1 to 64 letters"],
  ["a long name", [{ ...lookUp, name: "a".repeat(65) }], "must be 1 to 64 letters"],
  ["one name twice", [lookUp, lookUp], 'two tools "look_up"'],
  ["an unknown field", [{ ...lookUp, execute: "x" }], 'has the field "execute"'],
  ["an odd description", [{ ...lookUp, description: 5 }], "description must be a text"],
  ["no schema", [{ name: "look_up" }], "input must be a JSON Schema"],
  ["no object", [lookUp, "look_up"], "tools of start()[1] must be a tool as plain JSON"],
  ["a schema of no object", [{ ...lookUp, input: { type: "string" } }], 'has the type "string"'],
  ["a schema that is wrong", [{ ...lookUp, input: { type: "object", required: 5 } }], "cannot be used"],
  ["a schema that is not JSON", [{ ...lookUp, input: { default: () => 5 } }], "but is a function"],
  ["a schema within itself", [{ ...lookUp, input: looped }], "nested deeper than 300 levels"],
  [
    "a pattern without bound",
    [{ ...lookUp, input: { properties: { a: { pattern: "^(a+)\\1$" } } } }],
    "cannot be tested in bounded time",
  ],
  [
    "too much",
    [{ ...lookUp, input: { type: "object", description: "x".repeat(1_000_000) } }],
    "at most 1000000 characters",
  ],
])("tools of the caller with %s are refused", async (_, tools, message) => {
  const agent = new Agent({ name: "Guide", model: caller() });
  const app = testRuns(memoryStore(), { agents: [agent] });
  const options = Object.fromEntries([["tools", tools]]);
  await expect(app.start(agent, "Where to?", options)).rejects.toThrow(message);
  expect(await app.list()).toEqual([]);
});

test("a run without a store has them, too", async () => {
  const agent = new Agent({ name: "Guide", model: caller(), tools: [ping] });
  const running = streamWithTools(agent, "Where to?", {}, [lookUp]);
  expect((await all(running)).at(-1)).toMatchObject({ type: "run-end", status: "paused" });
  const { pending, state } = await running.result;
  const [call] = pending;
  expect(call).toMatchObject({ toolName: "look_up", input: { place: "Rome" } });
  const results = [{ toolCallId: call?.toolCallId ?? "", content: "sunny" }];
  expect((await streamWithTools(agent, state, { results }, [lookUp]).result).text).toBe("sunny");
  // Where the caller has nothing to do with it any more, its result is enough.
  expect((await run(agent, state, { results })).text).toBe("sunny");
  expect(() => streamWithTools(agent, "Hi", {}, [{ ...lookUp, name: "ping" }])).toThrow("so has the agent");
});

import { expect, test } from "vitest";
import { Agent, result, run, tool, type RunEvent, type ToolPolicy } from "skein";
import { ScriptedModel } from "skein/testing";

const input = { type: "object" } as const;

/** Runs a tool that gives `value`, and says what the model, the application and the state have of it. */
async function masked(value: () => unknown, mask: ToolPolicy["mask"]) {
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "give" }] }, "done"]);
  const give = tool({ name: "give", input, execute: value, ...(mask !== undefined && { mask }) });
  const events: RunEvent[] = [];
  const onEvent = (event: RunEvent): void => void events.push(event);
  const { state, messages } = await run(new Agent({ name: "A", model, tools: [give] }), "go", { onEvent });
  const message = messages[1];
  if (message?.role !== "tool") throw new Error("there is no tool message");
  const end = events.find((event) => event.type === "tool-end");
  return { result: message.result, state: JSON.stringify(state), end };
}

test("a masked result is a placeholder for the model and in the state, and a value in the event", async () => {
  const { result: shown, state, end } = await masked(() => ({ token: "s3cret" }), true);
  expect(shown.content).toEqual([{ type: "text", text: "[hidden]" }]);
  expect(shown).not.toHaveProperty("structuredContent");
  expect(state).not.toContain("s3cret");
  expect(end).toMatchObject({ value: { token: "s3cret" } });
  expect(JSON.stringify(end?.result)).not.toContain("s3cret");
});

test("only the named properties are hidden, in every item of an array on the way", async () => {
  const value = {
    name: "Ada",
    password: "s3cret",
    cards: [{ number: "4111", brand: "Visa" }, { number: "5500" }, { brand: "none" }],
    nested: [[{ card: { number: "3700" } }]],
  };
  const { result: shown, state } = await masked(
    () => value,
    ["password", "cards.number", "nested.card.number"],
  );
  expect(shown.structuredContent).toEqual({
    name: "Ada",
    password: "[hidden]",
    cards: [{ number: "[hidden]", brand: "Visa" }, { number: "[hidden]" }, { brand: "none" }],
    nested: [[{ card: { number: "[hidden]" } }]],
  });
  expect(shown.content).toEqual([{ type: "text", text: JSON.stringify(shown.structuredContent) }]);
  for (const secret of ["s3cret", "4111", "5500", "3700"]) expect(state).not.toContain(secret);
});

test.each([
  [
    "a map with keys of several kinds",
    new Map<unknown, string>([
      [1, "a"],
      ["password", "s3cret"],
    ]),
    ["password"],
  ],
  ["headers", { headers: new Headers({ Authorization: "s3cret" }) }, ["headers.Authorization"]],
  ["a query", { query: new URLSearchParams({ token: "s3cret", page: "1" }) }, ["query.token"]],
  ["pairs with more in them", [["user", { password: "s3cret" }]], ["user.password"]],
])("the named entries of %s are hidden, which are a list of pairs", async (_, value, names) => {
  const { result: shown, state } = await masked(() => value, names);
  expect(JSON.stringify(shown)).toContain("[hidden]");
  expect(state).not.toContain("s3cret");
});

test("what has no properties is hidden whole: a text may hold the secret anywhere", async () => {
  const { result: shown, state } = await masked(() => '{"password":"s3cret"}', ["password"]);
  expect(shown.content).toEqual([{ type: "text", text: "[hidden]" }]);
  expect(state).not.toContain("s3cret");
});

test("words that a tool wrote for the model do not lead round the mask", async () => {
  const value = () =>
    result({ value: { password: "s3cret", name: "Ada" }, content: "the password is s3cret" });
  const { result: shown, state } = await masked(value, ["password"]);
  expect(shown.content).toEqual([{ type: "text", text: '{"password":"[hidden]","name":"Ada"}' }]);
  expect(state).not.toContain("s3cret");
});

test("an error that a tool returns is masked, one that it throws is for the model to read", async () => {
  const returned = await masked(() => result({ value: "s3cret", isError: true }), true);
  expect(returned.result).toMatchObject({ isError: true, content: [{ text: "[hidden]" }] });
  const thrown = await masked(() => {
    throw new Error("no such account");
  }, true);
  expect(thrown.result.content).toEqual([{ type: "text", text: "give failed: no such account" }]);
});

test("a property called like one of Object's own is found only where the value has it", async () => {
  const { result: shown } = await masked(() => ({ name: "Ada" }), ["constructor", "__proto__.x"]);
  expect(shown.structuredContent).toEqual({ name: "Ada" });
});

test("a journal keeps no secret", async () => {
  const steps = new Map<string, unknown>();
  const journal = {
    step: async <T>(key: string, perform: () => Promise<T>): Promise<T> => {
      const value = await perform();
      steps.set(key, value);
      return value;
    },
  };
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "give" }] }, "done"]);
  const give = tool({ name: "give", input, mask: true, execute: () => "s3cret" });
  await run(new Agent({ name: "A", model, tools: [give] }), "go", { journal });
  expect([...steps.keys()]).toContain("turn-1/tool/call_1");
  expect(JSON.stringify([...steps])).not.toContain("s3cret");
});

test("a tool that calls a masked one receives the value", async () => {
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "outer" }] }, "done"]);
  const give = tool({ name: "give", input, mask: true, execute: () => "s3cret" });
  const outer = tool({
    name: "outer",
    input,
    execute: async (_, { call }) => String(await call("give", {})).length,
  });
  const { messages } = await run(new Agent({ name: "A", model, tools: [give, outer] }), "go");
  expect(messages[1]).toMatchObject({ result: { structuredContent: 6 } });
});

test("what a masked tool reports is masked like its result, and what it calls is masked by its own tool", async () => {
  const reports = async (mask: ToolPolicy["mask"]): Promise<readonly unknown[]> => {
    const model = new ScriptedModel([{ toolCalls: [{ toolName: "give" }] }, "done"]);
    const inner = tool({
      name: "inner",
      input,
      execute: (_, { progress }) => progress({ password: "inner" }),
    });
    const give = tool({
      name: "give",
      input,
      ...(mask !== undefined && { mask }),
      async *execute(_, { call, progress }) {
        progress({ password: "s3cret", name: "Bob" });
        await call("inner", {});
        yield "s3cret";
        yield { name: "Ada", password: "s3cret" };
      },
    });
    const values: unknown[] = [];
    const onEvent = (event: RunEvent): void => {
      if (event.type === "tool-progress") values.push(event.value);
    };
    await run(new Agent({ name: "A", model, tools: [give, inner] }), "go", { onEvent });
    return values;
  };
  expect(await reports(["password"])).toEqual([
    { password: "[hidden]", name: "Bob" },
    { password: "inner" },
    "[hidden]",
    { name: "Ada", password: "[hidden]" },
  ]);
  expect(await reports(true)).toEqual(["[hidden]", { password: "inner" }, "[hidden]", "[hidden]"]);
});

test("a name with dots of its own, and an item by its number, are hidden", async () => {
  const value = {
    name: "Ada",
    "user.password": "s3cret",
    tags: ["s3cret", "b"],
    user: { password: "s3cret", id: 1 },
  };
  const { result: shown, state } = await masked(() => value, ["user.password", "tags.0"]);
  expect(shown.structuredContent).toEqual({
    name: "Ada",
    "user.password": "[hidden]",
    tags: ["[hidden]", "b"],
    user: { password: "[hidden]", id: 1 },
  });
  expect(state).not.toContain("s3cret");
});

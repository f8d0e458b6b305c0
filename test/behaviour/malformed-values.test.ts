/** Values that types exclude and programs pass all the same: each is a typed error that names it. */
import { describe, expect, test } from "vitest";
import {
  Agent,
  generate,
  generateStream,
  type Journal,
  type Model,
  run,
  type RunState,
  tool,
  type ToolPolicy,
} from "skein";
import { FunctionModel } from "skein/testing";

const empty = { type: "object", properties: {} } as const;

/** Calls `look` once, and says that it is done. */
const lookOnce = (): Model =>
  new FunctionModel(({ messages }) =>
    messages.some(({ role }) => role === "tool") ? "Done." : { toolCalls: [{ toolName: "look" }] },
  );

/** An agent whose tool is executed elsewhere, and a state in which its call is pending. */
async function pendingLook(): Promise<{ agent: Agent; state: RunState; toolCallId: string }> {
  const agent = new Agent({ name: "A", tools: [tool({ name: "look", input: empty })], model: lookOnce() });
  const { state } = await run(agent, "Hi");
  return { agent, state, toolCallId: state.pending[0]?.toolCallId ?? "" };
}

describe("results from elsewhere", () => {
  test.each([
    [[{ type: "text" }], 'content[0] of the result that options.results has for the call "'],
    [
      [
        { type: "text", text: "a" },
        { type: "text", text: 5 },
      ],
      "content[1] of the result",
    ],
    [[{ type: "image" }], 'is a part of the type "image" whose url is not a text.'],
  ])("with the content %j are refused, and the part is named", async (content, words) => {
    const { agent, state, toolCallId } = await pendingLook();
    const results = [{ toolCallId, content: content as never }];
    await expect(run(agent, state, { results })).rejects.toMatchObject({
      code: "invalid-input",
      message: expect.stringContaining(words),
    });
  });

  test("that are several for one call are refused as such", async () => {
    const { agent, state, toolCallId } = await pendingLook();
    const results = ["a", "b"].map((content) => ({ toolCallId, content }));
    await expect(run(agent, state, { results })).rejects.toMatchObject({
      code: "invalid-input",
      message: `options.results has several results for the call "${toolCallId}". Pass one.`,
    });
  });
});

test.each([
  ["pending[0] must be an object, not null", { pending: [null] }],
  ["pending must be a list, not undefined", { pending: undefined }],
  ["pending must be a list, not a text", { pending: "x" }],
  ["usage must be an object, not null", { usage: null }],
  ["usage.totalTokens must be a number, not a text", { usage: { totalTokens: "7" } }],
  ["turn must be a number, not a list", { turn: [1] }],
])("a state is refused whose %s: %j", async (problem, change) => {
  const { agent, state, toolCallId } = await pendingLook();
  const damaged = { ...state, ...change } as never;
  await expect(run(agent, damaged, { results: [{ toolCallId, content: "a" }] })).rejects.toMatchObject({
    code: "invalid-input",
    message: `The state's ${problem}. Pass result.state unchanged.`,
  });
});

const look = tool({ name: "look", input: empty, execute: () => "seen" });
const newAgent = (): Agent => new Agent({ name: "A", tools: [look], model: lookOnce() });

test.each([
  ["model", { message: {} }],
  ["model", { message: { role: "assistant", content: [], toolCalls: [] } }],
  ["tool/call_1", { result: {} }],
  ["tool/call_1", { result: { toolCallId: "call_1" } }],
  ["tool/call_1", { waiting: {} }],
])("a journal that returns for the step %s the value %j is named", async (step, value) => {
  const journal = {
    step: (key: string, next: () => Promise<unknown>) => (key.endsWith(step) ? value : next()),
  } as unknown as Journal;
  await expect(run(newAgent(), "Hi", { journal })).rejects.toMatchObject({
    code: "invalid-middleware",
    message: expect.stringContaining(`an invalid value for the step "turn-1/${step}"`),
  });
});

test("a context that is a promise is refused", async () => {
  const context = Promise.resolve({ user: "ann" });
  await expect(run(newAgent(), "Hi", { context })).rejects.toMatchObject({
    code: "invalid-input",
    message: "options.context is a promise. Await it, and pass what it resolves to.",
  });
});

test("a completed run that is resumed for another output warns of its text, not of a tool", async () => {
  const agent = new Agent({ name: "A", model: new FunctionModel(() => "five") });
  const { state } = await run(agent, "Hi");
  const output = { type: "object", properties: { n: { type: "number" } }, required: ["n"] } as const;
  const { warnings } = await run(agent, state, { output });
  expect(warnings).toEqual([
    "The text that the run ended with does not match the output schema: its output is undefined.",
  ]);
});

describe("a function of a policy that cancels the run", () => {
  test.each<[string, (abort: () => void) => ToolPolicy]>([
    ["approval", (abort) => ({ approval: () => (abort(), false) })],
    ["approval, later", (abort) => ({ approval: async () => (abort(), false) })],
    ["allow", (abort) => ({ allow: () => (abort(), true) })],
    ["cache.key", (abort) => ({ cache: { key: () => (abort(), "k") } })],
    ["serialize", (abort) => ({ serialize: () => (abort(), "k") })],
  ])("%s: the tool is not called", async (_, policyOf) => {
    const controller = new AbortController();
    let executed = 0;
    const cancelling = tool({
      name: "look",
      input: empty,
      execute: () => void executed++,
      ...policyOf(() => controller.abort()),
    });
    const agent = new Agent({ name: "A", tools: [cancelling], model: lookOnce() });
    expect(await run(agent, "Hi", { signal: controller.signal })).toMatchObject({ status: "cancelled" });
    expect(executed).toBe(0);
  });
});

describe("a model that ignores its signal", () => {
  const deaf: Model = {
    provider: "custom",
    modelId: "deaf",
    async *stream() {
      yield { type: "text-delta", text: "Well" };
      await new Promise(() => {});
    },
  };

  test("does not hold generate()", async () => {
    await expect(generate(deaf, { messages: "Hi", signal: AbortSignal.timeout(20) })).rejects.toThrow(
      expect.objectContaining({ name: "TimeoutError" }),
    );
    await expect(generate(deaf, { messages: "Hi", signal: AbortSignal.abort() })).rejects.toThrow(
      expect.objectContaining({ name: "AbortError" }),
    );
  });

  test("does not hold generateStream(), which emits what came before", async () => {
    const texts: string[] = [];
    const reading = async (): Promise<void> => {
      for await (const event of generateStream(deaf, { messages: "Hi", signal: AbortSignal.timeout(20) }))
        if (event.type === "text-delta") texts.push(event.text);
    };
    await expect(reading()).rejects.toThrow(expect.objectContaining({ name: "TimeoutError" }));
    expect(texts).toEqual(["Well"]);
  });
});

import { Agent, result, run, tool, type ToolContext } from "skein";
import { ScriptedModel } from "skein/testing";
import { afterEach, beforeEach, expect, test } from "vitest";

const input = { type: "object" } as const;

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
let others: NodeJS.UnhandledRejectionListener[] = [];
beforeEach(() => {
  others = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection").on("unhandledRejection", note);
  unhandled.length = 0;
});
afterEach(() => {
  process.off("unhandledRejection", note);
  for (const listener of others) process.on("unhandledRejection", listener);
});

/** A promise that rejects as nobody has looked at it. */
async function failure(): Promise<Error> {
  throw new TypeError("It failed.");
}

const promiseIn = (value: object): Error => Object.assign(new Error("It failed."), value);

/** What the tool of a call does, and the words that the model reads of it. */
const mistakes: readonly [string, (context: ToolContext) => unknown, string][] = [
  [
    "throws a promise",
    () => {
      throw failure();
    },
    "use failed: a promise was thrown",
  ],
  // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the mistake
  ["rejects with a promise", () => Promise.reject(failure()), "use failed: "],
  [
    "throws an error whose cause is a promise",
    () => {
      throw new Error("It failed.", { cause: failure() });
    },
    "use failed: It failed.",
  ],
  [
    "throws an AggregateError of promises",
    () => {
      throw new AggregateError([failure(), failure()], "All failed.");
    },
    "use failed: All failed.",
  ],
  [
    "throws an error with a promise as a property",
    () => {
      throw promiseIn({ details: { text: failure() } });
    },
    "use failed: It failed.",
  ],
  ["passes a promise on to a call", ({ call }) => call("other", { id: failure() }), '"id" is a Promise'],
  [
    "passes a promise on to an agent",
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the mistake
    ({ runAgent }) => runAgent(new Agent({ name: "B" }), failure() as never),
    "The input of context.runAgent(B, ...) is a Promise. Await it.",
  ],
  ["returns a promise within the value of a step", ({ step }) => step("a", () => ({ text: failure() })), "a"],
  [
    "sleeps until a promise",
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the mistake
    ({ sleep }) => sleep("a", failure() as never),
    "must be a number of milliseconds",
  ],
];

test.each(mistakes)("a tool that %s has failed, and the process goes on", async (_, execute, words) => {
  const use = tool({ name: "use", input, execute: (_input, context: ToolContext) => execute(context) });
  const other = tool({ name: "other", input, execute: () => "done" });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "use" }] }, "Sorry."]);
  const { text, messages } = await run(new Agent({ name: "A", model, tools: [use, other] }), "Go");
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(text).toBe("Sorry.");
  expect(messages.at(-2)).toMatchObject({ role: "tool", result: { isError: true } });
  expect(JSON.stringify(messages.at(-2))).toContain(JSON.stringify(words).slice(1, -1));
  expect(unhandled).toEqual([]);
});

test("a promise in a change of the context does not end the process", async () => {
  const login = tool({
    name: "login",
    input,
    execute: () => result({ value: "ok", context: { user: failure() } }),
  });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "login" }] }, "Done."]);
  expect((await run(new Agent({ name: "A", model, tools: [login] }), "Go")).text).toBe("Done.");
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(unhandled).toEqual([]);
});

/** Functions of the application that throw a promise. */
const throwing = (): never => {
  throw failure();
};

const always = (): boolean => true;

test.each([
  ["approval", { approval: throwing }],
  ["allow", { allow: throwing }],
  ["cache.key", { cache: { key: throwing } }],
  ["serialize", { serialize: throwing }],
  ["retries.when", { retries: { times: 1, when: throwing } }],
  ["retries.delay", { retries: { times: 1, when: always, delay: throwing } }],
])("a function of %s that throws a promise does not end the process", async (_, policy) => {
  const use = tool({
    name: "use",
    input,
    ...policy,
    execute: () => {
      throw new Error("It failed.");
    },
  });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "use" }] }, "Sorry."]);
  await run(new Agent({ name: "A", model, tools: [use] }), "Go").catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(unhandled).toEqual([]);
});

test("a listener, a middleware, a journal and instructions that throw promises do not end the process", async () => {
  const use = tool({ name: "use", input, execute: () => "done" });
  const agent = () =>
    new Agent({
      name: "A",
      model: new ScriptedModel([{ toolCalls: [{ toolName: "use" }] }, "Done."]),
      tools: [use],
    });
  const outcomes = await Promise.allSettled([
    run(agent(), "Go", { onEvent: throwing }),
    run(agent(), "Go", { middleware: [{ tool: throwing }] }),
    run(agent(), "Go", { middleware: [{ model: throwing }] }),
    run(agent(), "Go", { journal: { step: throwing } }),
    run(agent().with({ instructions: throwing }), "Go"),
  ]);
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(outcomes[0]).toMatchObject({ value: { text: "Done." } });
  expect(unhandled).toEqual([]);
});

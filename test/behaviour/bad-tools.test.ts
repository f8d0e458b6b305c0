/* oxlint-disable unicorn/no-thenable -- what only behaves like a promise is what tools may return */
/** Whatever a tool does, its call has an outcome within bounds, the model is told, and the other calls go on. */
import { expect, test } from "vitest";
import { Agent, result, run, tool, type RunEvent, type ToolContext, type ToolResult } from "skein";
import { ScriptedModel } from "skein/testing";

const open = { type: "object" } as const;
const noon = tool({ name: "now", input: open, execute: () => "noon" });
const oneMiB = 1_048_576;
const sound = { type: "text", text: "ok" } as const;

type Execute = (input: Record<string, unknown>, context: ToolContext) => unknown;

/** Calls the bad tool beside a good one, and gives back what became of the bad one. */
async function tell(execute: Execute, timeout = 1_000) {
  const bad = tool({ name: "bad", input: open, timeout, execute });
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "bad", arguments: { list: [1], deep: { a: 1 } } }, { toolName: "now" }] },
    "done",
  ]);
  const events: RunEvent[] = [];
  const onEvent = (event: RunEvent): void => void events.push(event);
  const context = { user: { name: "Ada" } };
  const { status, messages, state } = await run(new Agent({ name: "A", model, tools: [bad, noon] }), "go", {
    onEvent,
    context,
  });
  expect(status).toBe("completed");
  const [first, second] = messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
  expect(second).toMatchObject({ outcome: "success", content: [{ text: "noon" }] });
  if (!first) throw new Error("there is no tool message");
  expect(textOf(first).length).toBeLessThan(oneMiB + 2_000);
  return { result: first, text: textOf(first), messages, state, events };
}

const textOf = ({ content }: ToolResult): string =>
  content.map((part) => (part.type === "text" ? part.text : part.type)).join("\n");

/** Lets everything happen that was put off. */
const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

const never = new Promise<never>(() => undefined);

test.each<[string, Execute]>([
  ["never settles", () => never],
  ["is a thenable that does nothing", () => ({ then: () => undefined })],
  [
    "is a generator that waits for ever",
    async function* () {
      yield 1;
      await never;
    },
  ],
  [
    "yields for ever without waiting",
    async function* () {
      for (;;) yield 1;
    },
  ],
  [
    "yields for ever and is not even asynchronous",
    function* () {
      for (;;) yield 1;
    },
  ],
  [
    "yields for ever and goes on when told to return",
    async function* () {
      for (;;) {
        try {
          yield 1;
        } finally {
          // oxlint-disable-next-line no-unsafe-finally -- as bad as a generator can be
          continue;
        }
      }
    },
  ],
])("what %s is given up at its deadline", async (_, execute) => {
  const { result: given, text } = await tell(execute, 20);
  expect(given.outcome).toBe("timeout");
  expect(text).toBe("bad did not finish within 20 ms and was given up.");
});

test("an abandoned generator runs its finally blocks, and an exception there is ignored", async () => {
  const done: string[] = [];
  // What reads generators is loaded by the first one, which may take longer than the deadline.
  await tell(function* () {
    yield 1;
  });
  await tell(async function* () {
    try {
      for (;;) yield 1;
    } finally {
      done.push("finally");
      // oxlint-disable-next-line no-unsafe-finally -- as bad as a generator can be
      throw new Error("in finally");
    }
  }, 20);
  await later();
  expect(done).toEqual(["finally"]);
});

test("a cancelled run calls return on generators", async () => {
  const done: string[] = [];
  const controller = new AbortController();
  const endless = tool({
    name: "bad",
    input: open,
    execute: async function* () {
      try {
        for (let count = 0; ; count++) {
          if (count === 1_000) controller.abort();
          yield count;
        }
      } finally {
        done.push("finally");
      }
    },
  });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "bad" }] }]);
  const agent = new Agent({ name: "A", model, tools: [endless] });
  const { status } = await run(agent, "go", { signal: controller.signal });
  expect(status).toBe("cancelled");
  await later();
  expect(done).toEqual(["finally"]);
});

test("the value of a generator is what it returns, else what it yielded last", async () => {
  const returned = await tell(function* () {
    yield "one";
    return "two";
  });
  expect(returned.text).toBe("two");
  const yielded = await tell(async function* () {
    yield { part: 1 };
    yield { part: 2 };
  });
  expect(yielded.result.structuredContent).toEqual({ part: 2 });
  const progress = yielded.events.flatMap((event) => (event.type === "tool-progress" ? [event.value] : []));
  expect(progress).toEqual([{ part: 1 }, { part: 2 }]);
});

test("a promise that a generator yields is waited for; a rejected one is an error", async () => {
  const { text } = await tell(function* () {
    yield Promise.reject(new Error("no luck"));
  });
  expect(text).toBe("bad failed: no luck");
});

test("a promise that settles twice counts once, and one that fails after its deadline not at all", async () => {
  const twice = await tell(() => ({
    then(resolve: (value: string) => void, reject: (error: unknown) => void) {
      resolve("first");
      resolve("second");
      reject(new Error("third"));
      throw new Error("fourth");
    },
  }));
  expect(twice.text).toBe("first");
  let fail: (error: unknown) => void = () => undefined;
  const late = await tell(() => new Promise((_, reject) => (fail = reject)), 10);
  expect(late.result.outcome).toBe("timeout");
  fail(new Error("much too late"));
  await later();
});

test.each<[string, Execute, string]>([
  [
    "a thenable that throws",
    () => ({
      then() {
        throw new Error("in then");
      },
    }),
    "bad failed: in then",
  ],
  [
    "a thenable that cannot be read",
    () => ({
      get then() {
        throw new Error("reading then");
      },
    }),
    "bad failed: reading then",
  ],
  [
    "a promise whose own then throws",
    () =>
      Object.assign(Promise.resolve(1), {
        then() {
          throw new Error("own then");
        },
      }),
    "bad failed: own then",
  ],
  [
    "an object whose getter throws",
    () => ({
      get secret() {
        throw new Error("sealed");
      },
    }),
    "bad returned something that cannot be written as JSON: sealed",
  ],
  [
    "a Proxy that throws at everything",
    () =>
      new Proxy(
        {},
        new Proxy(
          {},
          {
            get: () => () => {
              throw new Error("trap");
            },
          },
        ),
      ),
    "bad failed: trap",
  ],
  ["null, thrown", () => Promise.reject(null), "bad failed: null"],
  [
    "undefined, thrown",
    () => {
      throw undefined;
    },
    "bad failed: undefined",
  ],
  [
    "a frozen object, thrown",
    () => {
      throw Object.freeze({ code: 1 });
    },
    'bad failed: {"code":1}',
  ],
  [
    "an error whose message cannot be read",
    () => {
      const error = new Error("x");
      Object.defineProperty(error, "message", {
        get() {
          throw new Error("no message");
        },
      });
      throw error;
    },
    "bad failed: something that cannot be shown",
  ],
  [
    "an error whose message is a symbol",
    () => {
      throw Object.assign(new Error("x"), { message: Symbol("s") });
    },
    "bad failed: Symbol(s)",
  ],
  [
    "content with a part whose text is none",
    () => result({ content: [sound, { ...sound, text: 5 as unknown as string }] }),
    'bad returned parts that are not sound: content[1] of result({ content }) is a part of the type "text" whose text is not ',
  ],
])("%s is an error message", async (_, execute, words) => {
  const { result: given, text } = await tell(execute);
  expect(given).toMatchObject({ isError: true, outcome: "error" });
  expect(text).toContain(words);
});

test("a text of fifty million characters is cut, and so is the message of an error", async () => {
  const { text } = await tell(() => "x".repeat(50_000_000));
  expect(text).toContain(`[${50_000_000 - oneMiB} of 50000000 characters left out]`);
  const thrown = await tell(() => {
    throw new Error("x".repeat(50_000_000));
  });
  expect(thrown.text.length).toBeLessThan(4_100);
});

test.each<[string, () => unknown]>([
  ["a list of three million numbers", () => Array.from({ length: 3_000_000 }, (_, index) => index)],
  ["a list with four thousand million holes", () => Object.assign([], { length: 4_294_967_295 })],
  ["a list of a million NaNs", () => Array.from({ length: 1_000_000 }, () => Number.NaN)],
  [
    "an object with 200,000 members",
    () => Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`key${index}`, index])),
  ],
  ["a set that never ends", () => new Endless()],
  ["ten megabytes", () => ({ bytes: new Uint8Array(10_000_000), big: 2n ** 1_000_000n })],
  ["one object ten million times", () => doubled()],
  ["a text of escapes", () => ["\u0000".repeat(900_000)]],
])("cuts %s, with a note for the model", async (_, value) => {
  const { text, state } = await tell(value);
  expect(text).toMatch(/too long|left out/);
  expect(JSON.stringify(state).length).toBeLessThan(8 * oneMiB);
});

class Endless extends Set<number> {
  override *[Symbol.iterator](): SetIterator<number> {
    for (;;) yield 1;
  }
}

/** A small object that is a very long text. */
function doubled(): unknown {
  let value: unknown = "0123456789";
  for (let level = 0; level < 40; level++) value = [value, value];
  return value;
}

test.each<[string, () => unknown]>([
  ["a list", () => nested((inner) => [inner])],
  ["an object", () => nested((inner) => ({ inner }))],
  ["a map", () => nested((inner) => new Map([["inner", inner]]))],
  ["a toJSON", () => nested((inner) => ({ toJSON: () => inner }))],
  ["an error", () => nested((inner) => new Error("x", { cause: inner }), 1_000)],
])("%s nested without end, almost, ends at the hundredth", async (_, value) => {
  const { result: given, text } = await tell(value);
  expect(given.outcome).toBe("success");
  expect(text).toContain("[too deep]");
  expect(text).toContain("nested deeper than 100 levels");
});

function nested(wrap: (inner: unknown) => unknown, levels = 100_000): unknown {
  let value: unknown = "core";
  for (let level = 0; level < levels; level++) value = wrap(value);
  return value;
}

test("a cyclic value is written as far as it goes", async () => {
  const cyclic: Record<string, unknown> = { list: [] };
  cyclic["self"] = cyclic;
  cyclic["list"] = [cyclic, cyclic];
  const { result: given } = await tell(() => cyclic);
  expect(given.structuredContent).toEqual({ list: ["[circular]", "[circular]"], self: "[circular]" });
});

test("content of many parts and long images is bounded", async () => {
  const image = { type: "image", url: `data:image/png;base64,${"A".repeat(40_000_000)}` } as const;
  const small = { type: "image", url: "https://example.com/a.png" } as const;
  const { result: given } = await tell(() => result({ content: [small, image] }));
  expect(given.content).toEqual([
    small,
    { type: "text", text: `[image of ${image.url.length} characters left out]`, note: true },
  ]);
  const parts = Array.from({ length: 30 }, () => ({ type: "text", text: "x".repeat(100_000) }) as const);
  const many = await tell(() => result({ content: parts }));
  expect(many.result.content.length).toBeLessThan(13);
  expect(many.text).toMatch(/\[\d+ parts left out\]$/);
});

test("a tool may change its arguments: neither the history nor another call has them", async () => {
  const seen: unknown[] = [];
  const execute: Execute = (input) => {
    seen.push(structuredClone(input));
    input["list"] = "changed";
    const { deep } = input;
    if (typeof deep === "object" && deep !== null) Object.assign(deep, { a: 2 });
    return input;
  };
  const { messages } = await tell(execute);
  expect(messages[0]).toMatchObject({
    toolCalls: [{ arguments: '{"list":[1],"deep":{"a":1}}' }, {}],
  });
  await tell(execute);
  expect(seen[1]).toEqual(seen[0]);
});

test("a value that a tool goes on changing is what it was when it was returned", async () => {
  const value = { list: [1] };
  const content = [{ type: "text" as const, text: "before" }];
  const { result: given } = await tell(() => result({ value, content }));
  value.list.push(2);
  Object.assign(content[0] ?? {}, { text: "after" });
  expect(given).toMatchObject({ structuredContent: { list: [1] }, content: [{ text: "before" }] });
});

test.each<[string, (context: ToolContext) => unknown]>([
  ["the application's data", ({ context }) => Object.assign(context as object, { user: "Bo" })],
  ["what is in it", ({ context }) => Object.assign((context as { user: object }).user, { name: "Bo" })],
  ["its own context", (context) => Object.assign(context, { toolCallId: "other" })],
  ["the history", ({ messages }) => (messages as unknown[]).push("message")],
  ["a message of it", ({ messages }) => Object.assign(messages[0] ?? {}, { content: "else" })],
])("a tool that changes %s gets an error", async (_, change) => {
  const { result: given, messages, state } = await tell((_input, context) => change(context));
  expect(given).toMatchObject({ isError: true, outcome: "error" });
  expect(state.context).toEqual({ user: { name: "Ada" } });
  expect(messages).toHaveLength(4);
  expect(state.messages[0]).toEqual({ role: "user", content: "go" });
});

test("what a tool reports or calls when its result is there already is of no consequence", async () => {
  let context: ToolContext | undefined;
  const { events } = await tell((_, given) => {
    context = given;
    return "done";
  });
  const before = events.length;
  context?.progress("late");
  await expect(context?.call("now", {})).rejects.toThrow("bad is over");
  expect(events).toHaveLength(before);
});

/** Guards of what goes into a run and out of it. */
import { expect, test } from "vitest";
import {
  Agent,
  GuardError,
  type Message,
  type Middleware,
  type Model,
  run,
  type RunEvent,
  type RunOptions,
  stream,
} from "skein";
import { guard, type GuardOptions, type Verdict } from "skein/guards";
import { FunctionModel, ScriptedModel } from "skein/testing";

const isBad = ({ text }: { readonly text: string }): Verdict =>
  text.includes("bad") ? { block: "it is bad", message: "Let us talk of something else." } : undefined;
const textsOf = (messages: readonly object[]) => JSON.stringify(messages);

const streamedText = (events: readonly RunEvent[]): string =>
  events.flatMap((event) => (event.type === "text-delta" ? event.text : [])).join("");

/** The events of a run, and what came of it. */
async function eventsOf(agent: Agent, input: string, options: RunOptions) {
  const events: RunEvent[] = [];
  const running = stream(agent, input, options);
  for await (const event of running) events.push(event);
  return { events, outcome: await running.result };
}

test.each([{}, { parallel: true }] satisfies GuardOptions[])(
  "an input that a guard blocks (%o) is not answered, and no later turn sees it",
  async (options) => {
    const answers = ["A bad answer.", "Hello."];
    const model = new ScriptedModel(options.parallel ? answers : answers.slice(1));
    const agent = new Agent({ name: "A", model });
    const middleware = [guard({ input: isBad }, { name: "manners", ...options })];
    const { events, outcome } = await eventsOf(agent, "a bad thing", { middleware });
    expect(outcome).toMatchObject({
      status: "blocked",
      text: "Let us talk of something else.",
      finishReason: "content-filter",
      pending: [],
      blocked: { guard: "manners", stage: "input", reason: "it is bad", agent: "A" },
      state: { status: "blocked", blocked: { reason: "it is bad" } },
    });
    expect(events.map(({ type }) => type)).toEqual([
      "turn-start",
      "model-start",
      "model-end",
      "turn-end",
      "run-end",
    ]);
    const next = await run(agent, [...outcome.state.messages, { role: "user", content: "Hi." }], {
      middleware,
    });
    expect(next).toMatchObject({ status: "completed", text: "Hello." });
    expect(textsOf(model.requests.at(-1)?.messages ?? [])).not.toContain("bad");
    model.assertComplete();
  },
);

test("a model that answers beside the check is stopped, and what it used is not known", async () => {
  let isStopped = false;
  const begun = Promise.withResolvers<void>();
  const model: Model = {
    provider: "slow",
    modelId: "slow",
    async *stream({ signal }) {
      yield { type: "text-delta", text: "A bad " };
      begun.resolve();
      await new Promise((resolve) => signal?.addEventListener("abort", resolve));
      isStopped = true;
      signal?.throwIfAborted();
    },
  };
  const check = (): Promise<string> => begun.promise.then(() => "it is bad");
  const middleware = [guard({ input: check }, { parallel: true })];
  const { events, outcome } = await eventsOf(new Agent({ name: "A", model }), "go", { middleware });
  expect(isStopped).toBe(true);
  expect(events.some(({ type }) => type === "text-delta")).toBe(false);
  const modelCalls = [{ provider: "slow", usage: { totalTokens: undefined } }];
  expect(outcome).toMatchObject({ status: "blocked", text: "", modelCalls });
  // What is not known is no reason to fail a run that has ended.
  const limited = run(new Agent({ name: "A", model }), "go", { middleware, maxTokens: 10 });
  expect(await limited).toMatchObject({ status: "blocked" });
});

test("tools of an answer do not start before the verdict beside it, and then the answer comes whole", async () => {
  const order: string[] = [];
  const answered = Promise.withResolvers<void>();
  const act = (): string => {
    order.push("tool");
    return "done";
  };
  const model = new FunctionModel(({ messages }) => {
    if (messages.at(-1)?.role === "tool") return "Done.";
    order.push("answer");
    setTimeout(answered.resolve);
    return { text: "I act. ", toolCalls: [{ toolName: "act", arguments: {} }] };
  });
  const check = async (): Promise<undefined> => {
    await answered.promise;
    order.push("verdict");
  };
  const agent = new Agent({ name: "A", model, tools: { act } });
  const { events, outcome } = await eventsOf(agent, "go", {
    middleware: [guard({ input: check }, { parallel: true })],
  });
  expect(order).toEqual(["answer", "verdict", "tool"]);
  expect(outcome).toMatchObject({ status: "completed", text: "Done." });
  expect(streamedText(events)).toBe("I act. Done.");
});

test("without `hold` an answer streams and the run ends as blocked; with it, no token is seen", async () => {
  const model = (): ScriptedModel => new ScriptedModel([{ text: "a bad answer", chunkSize: 1 }]);
  const seen = async (hold: boolean) => {
    const middleware = [guard({ output: isBad }, { hold })];
    const { events, outcome } = await eventsOf(new Agent({ name: "A", model: model() }), "go", {
      middleware,
    });
    expect(outcome).toMatchObject({ status: "blocked", blocked: { stage: "output" } });
    expect(textsOf(outcome.state.messages)).not.toContain("bad");
    expect(textsOf([...outcome.messages])).not.toContain("bad");
    return streamedText(events);
  };
  expect(await seen(false)).toBe("a bad answer");
  expect(await seen(true)).toBe("");
});

test("calls of a blocked answer are not executed", async () => {
  let calls = 0;
  const act = (): number => ++calls;
  const model = new ScriptedModel([{ text: "bad", toolCalls: [{ toolName: "act", arguments: {} }] }]);
  const agent = new Agent({ name: "A", model, tools: { act } });
  expect(await run(agent, "go", { middleware: [guard({ output: isBad })] })).toMatchObject({
    status: "blocked",
  });
  expect(calls).toBe(0);
});

test("an agent's own guard judges what came before the handoff to it, once", async () => {
  const judged: string[] = [];
  const own = guard({ input: ({ text }) => void judged.push(text) });
  const call = (toolName: string) => ({ toolCalls: [{ toolName, arguments: {} }] });
  const look = (): string => "seen";
  const second = new Agent({
    name: "B",
    model: new ScriptedModel([call("look"), "Done."]),
    tools: { look },
    middleware: [own],
  });
  const first = new Agent({
    name: "A",
    model: new ScriptedModel([call("transfer_to_b")]),
    handoffs: [second],
  });
  expect(await run(first, "Help me.")).toMatchObject({ status: "completed" });
  expect(judged).toEqual(["Help me."]);
});

test("a guard of the run judges an input once, however many turns and agents follow, and what is sent meanwhile", async () => {
  const judged: string[] = [];
  const call = (toolName: string) => ({ toolCalls: [{ toolName, arguments: {} }] });
  let running: ReturnType<typeof stream> | undefined;
  const look = (): string => {
    running?.steer("And quickly.");
    return "seen";
  };
  const second = new Agent({ name: "B", model: new ScriptedModel([call("look"), "Done."]), tools: { look } });
  const first = new Agent({
    name: "A",
    model: new ScriptedModel([call("transfer_to_b")]),
    handoffs: [second],
  });
  const middleware = [guard({ input: ({ text }) => void judged.push(text) })];
  running = stream(first, "Help me.", { middleware });
  expect(await running.result).toMatchObject({ status: "completed" });
  expect(judged).toEqual(["Help me.", "And quickly."]);
});

test("a message sent to a running agent that is blocked is in none of the run's messages", async () => {
  let running: ReturnType<typeof stream> | undefined;
  const look = (): string => {
    running?.steer("The secret.");
    return "seen";
  };
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "look", arguments: {} }] }]);
  const middleware = [guard({ input: ({ text }) => (text.includes("secret") ? "a secret" : undefined) })];
  running = stream(new Agent({ name: "A", model, tools: { look } }), "Help me.", { middleware });
  const { status, messages, state } = await running.result;
  expect(status).toBe("blocked");
  expect(JSON.stringify([messages, state])).not.toContain("secret.");
  expect(messages.map(({ role }) => role)).toEqual(["assistant", "tool", "user", "assistant"]);
});

const failures: readonly (readonly [string, () => unknown, RegExp])[] = [
  [
    "throws",
    () => {
      throw new Error("no judge");
    },
    /guard "g" failed: no judge/,
  ],
  ["rejects", () => Promise.reject(new Error("no judge")), /failed: no judge/],
  ["returns false", () => false, /returned false, which is not a verdict/],
  ["returns an empty text", () => "", /not a verdict/],
  ["returns something else", () => ({ allowed: true }), /an object with allowed, which is not a verdict/],
  ["denies where nothing can be denied", () => ({ deny: "no" }), /not a verdict/],
  ["takes too long", () => new Promise(() => {}), /did not finish within 20 ms/],
];

for (const options of [{}, { parallel: true }] satisfies GuardOptions[])
  test.each(failures)(
    `a check of an input (${JSON.stringify(options)}) that %s fails the run`,
    async (_, check, message) => {
      const model = new ScriptedModel(["An answer."]);
      const checks = { input: check as () => Verdict };
      const failed = run(new Agent({ name: "A", model }), "go", {
        middleware: [guard(checks, { ...options, name: "g", timeout: 20 })],
      });
      await expect(failed).rejects.toThrow(message);
      await expect(failed).rejects.toMatchObject({
        name: "GuardError",
        code: "guard-failed",
        data: { guard: "g", stage: "input" },
        state: { messages: [{ role: "user" }], status: "running" },
      });
      await expect(failed).rejects.toBeInstanceOf(GuardError);
    },
  );

test.each(failures)(
  "a check of an output that %s fails the run, and the answer is nowhere",
  async (_, check, message) => {
    const model = new ScriptedModel(["An answer."]);
    const checks = { output: check as () => Verdict };
    const events: RunEvent[] = [];
    const failed = run(new Agent({ name: "A", model }), "go", {
      middleware: [guard(checks, { name: "g", hold: true, timeout: 20 })],
      onEvent: (event) => events.push(event),
    });
    await expect(failed).rejects.toThrow(message);
    await expect(failed).rejects.toMatchObject({
      code: "guard-failed",
      state: { messages: [{ role: "user" }] },
    });
    expect(JSON.stringify(events)).not.toContain("An answer");
  },
);

test("guards are asked in their order, and the first verdict counts", async () => {
  const asked: string[] = [];
  const named = (name: string, verdict?: string) =>
    guard(
      {
        input: () => {
          asked.push(name);
          return verdict;
        },
      },
      { name },
    );
  const agent = new Agent({ name: "A", model: new ScriptedModel([]) });
  const middleware = [named("one"), named("two", "no"), named("three", "never")];
  expect(await run(agent, "go", { middleware })).toMatchObject({ blocked: { guard: "two" } });
  expect(asked).toEqual(["one", "two"]);
});

test("a middleware around a guard cannot bring back what it blocked", async () => {
  const model = new ScriptedModel(["a bad answer"]);
  const seen: string[] = [];
  const replacing: Middleware = {
    async *model(request, _info, next) {
      for await (const event of next(request)) {
        if (event.type !== "finish") continue;
        seen.push(event.generation.text);
        yield { type: "finish", generation: { ...event.generation, text: "a bad answer after all" } };
      }
    },
  };
  const outcome = await run(new Agent({ name: "A", model }), "go", {
    middleware: [replacing, guard({ output: isBad })],
  });
  expect(outcome).toMatchObject({ status: "blocked", text: "Let us talk of something else." });
  expect(seen).toEqual([""]);
});

test("what a judge uses counts to the run, and to its budget", async () => {
  const usage = { inputTokens: 50, outputTokens: 50, totalTokens: 100 };
  const judge = new Agent({ name: "Judge", model: new ScriptedModel([{ text: "fine", usage }]) });
  const middleware = [
    guard({
      input: async ({ text, signal, count }) => {
        const verdict = await run(judge, text, { signal });
        count(verdict);
        return verdict.text === "fine" || "the judge objects";
      },
    }),
  ];
  const model = new ScriptedModel([{ text: "", toolCalls: [{ toolName: "act", arguments: {} }], usage }]);
  const agent = new Agent({ name: "A", model, tools: { act: () => "done" } });
  const outcome = await run(agent, "go", { middleware, maxTokens: 150 });
  expect(outcome).toMatchObject({ status: "budget", usage: { totalTokens: 200 } });
  expect(outcome.modelCalls).toHaveLength(2);
});

test("a blocked run that is resumed is blocked again, and no check is asked", async () => {
  let asked = 0;
  const middleware = [
    guard({
      input: () => {
        asked++;
        return "no";
      },
    }),
  ];
  const agent = new Agent({ name: "A", model: new ScriptedModel([]) });
  const { state } = await run(agent, "go", { middleware });
  const again = await run(agent, JSON.parse(JSON.stringify(state)), { middleware });
  expect(again).toMatchObject({ status: "blocked", blocked: { reason: "no" }, messages: [], turns: 0 });
  expect(asked).toBe(1);
});

test("a guard has a check at least, and flags that are about one of its checks", () => {
  expect(() => guard({})).toThrow("guard() has nothing to check.");
  expect(() => guard({ input: isBad }, { hold: true })).toThrow(
    "hold of guard() is about its check `output`",
  );
  expect(() => guard({ output: isBad }, { parallel: true })).toThrow(
    "parallel of guard() is about its check `input`",
  );
  expect(() => guard({ output: isBad }, { name: "" })).toThrow("name of guard() must be a text");
  expect(() => guard({ output: isBad }, { timeout: -1 })).toThrow("timeout must be a number of at least 0");
  expect(() => guard({ output: "no" as unknown as () => undefined })).toThrow(
    "output of guard() must be a function",
  );
});

test.each([
  [
    "since the last answer",
    [
      { role: "user", content: "Hi." },
      { role: "system", content: "a bad rule" },
    ],
  ],
  [
    "before it",
    [
      { role: "system", content: "a bad rule" },
      { role: "user", content: "Hi." },
      { role: "assistant", content: [{ type: "text", text: "Hello." }], toolCalls: [] },
      { role: "user", content: "Go." },
    ],
  ],
] satisfies [string, Message[]][])("a system message %s is judged with the input", async (_, messages) => {
  const agent = new Agent({ name: "A", model: new ScriptedModel([]), middleware: [guard({ input: isBad })] });
  const blocked = { stage: "input", reason: "it is bad" };
  expect(await run(agent, messages)).toMatchObject({ status: "blocked", blocked });
});

/** Runs that fail within an agent or a tool that another calls: the error has the state of the whole run, and nothing is done twice. */
import {
  Agent,
  run,
  SkeinError,
  tool,
  type Journal,
  type Middleware,
  type RunOptions,
  type RunState,
  type Session,
} from "skein";
import { memorySession, SessionConflictError } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { describe, expect, test } from "vitest";
import { boss, calls, clerk, decide, does, effects, empty, keys, plain } from "./test-nested.ts";

/** The error of a run, and its state as a program stores it. */
async function failureOf(
  running: Promise<unknown>,
): Promise<{ readonly error: SkeinError; readonly state: RunState }> {
  const error: unknown = await running.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof SkeinError) || !error.state) throw new Error("The run did not fail.");
  return { error, state: plain(error.state) };
}

/** Fails once, as soon as something was done. */
function once(error: unknown, isDue = (): boolean => effects.length === 1): () => void {
  let isOver = false;
  return () => {
    if (isOver || !isDue()) return;
    isOver = true;
    throw error;
  };
}

function failingSession(fail: () => void): Session {
  const session = memorySession();
  const append: Session["append"] = async (entries) => {
    fail();
    await session.append(entries);
  };
  return { load: () => session.load(), clear: () => session.clear(), append };
}

const failing: readonly (readonly [string, string, (error?: unknown) => RunOptions])[] = [
  ["session", "session-failed", () => ({ session: failingSession(once(new Error("ENOSPC"))) })],
  [
    "session that another run was faster with",
    "session-conflict",
    () => ({ session: failingSession(once(new SessionConflictError(9))) }),
  ],
  ["middleware", "middleware-failed", () => ({ middleware: [stepping(once(new Error("ENOSPC")))] })],
  ["journal", "run-failed", () => ({ journal: journaling(once(new Error("ENOSPC"))) })],
  ["journal that throws a text", "run-failed", () => ({ journal: journaling(once("ENOSPC")) })],
];

function stepping(fail: () => void): Middleware {
  return {
    async step(_key, next) {
      const value = await next();
      fail();
      return value;
    },
  };
}

function journaling(fail: () => void): Journal {
  return {
    async step(_key, perform) {
      const value = await perform();
      fail();
      return value;
    },
  };
}

describe("a store that fails once, while an agent within the run works", () => {
  test.each(failing)("is an error with the state of the whole run: a %s", async (_title, code, optionsOf) => {
    const { error, state } = await failureOf(run(boss(), "go", optionsOf()));
    expect(error.code).toBe(code);
    expect(state).toMatchObject({ agent: "Boss", messages: [{ role: "user", content: "go" }, {}] });
    const paused = await run(boss(), state);
    expect(paused.pending).toMatchObject([{ agent: "Clerk", toolName: "pay" }]);
    const done = await run(boss(), plain(paused.state), { approvals: decide(paused) });
    expect(done).toMatchObject({ status: "completed", warnings: [] });
    expect(effects).toEqual(["look", "pay 5", "note"]);
    expect(new Set(keys).size).toBe(3);
  });

  // A session has its own state.
  const beside = failing.filter(([title]) => !title.startsWith("session"));
  test.each(beside)("does not repeat what was approved: a %s", async (_title, code, optionsOf) => {
    const paused = await run(boss(), "go");
    effects.length = 0;
    const approvals = decide(paused);
    const options = optionsOf();
    const { error, state } = await failureOf(run(boss(), plain(paused.state), { ...options, approvals }));
    expect(error.code).toBe(code);
    const done = await run(boss(), state);
    expect(done).toMatchObject({ status: "completed", warnings: [] });
    expect(effects).toEqual(["pay 5", "note"]);
  });

  test("leaves its state in a session, which goes on", async () => {
    const session = memorySession();
    const middleware = [stepping(once(new Error("ENOSPC")))];
    await failureOf(run(boss(), "go", { session, middleware }));
    const paused = await run(boss(), [], { session });
    const done = await run(boss(), [], { session, approvals: decide(paused) });
    expect(done).toMatchObject({ status: "completed", warnings: [] });
    expect(effects).toEqual(["look", "pay 5", "note"]);
  });
});

describe("a store that fails once, while a tool calls others", () => {
  const tools = (): ReturnType<typeof tool>[] => [
    tool({
      name: "trip",
      input: empty,
      async execute(_input: unknown, { call }) {
        const outcomes = await Promise.allSettled([call("look", {}), call("pay", {})]);
        // It goes on, whatever failed.
        return outcomes.map((outcome) => (outcome.status === "fulfilled" ? outcome.value : "failed")).join();
      },
    }),
    does("look"),
    does("pay", { approval: true }),
  ];
  const agent = (): Agent => boss(tools()).with({ model: calls({ toolName: "trip", arguments: {} }) });

  test.each(failing)("does not repeat a call that was finished: a %s", async (_title, _code, optionsOf) => {
    const { state } = await failureOf(run(agent(), "go", optionsOf()));
    expect(state.pending).toMatchObject([{ toolName: "pay", parentToolCallId: "id_0" }]);
    const paused = await run(agent(), state);
    const done = await run(agent(), plain(paused.state), { approvals: decide(paused) });
    expect(done).toMatchObject({ status: "completed", warnings: [] });
    expect(done.text).toContain("look is done,pay is done");
    expect(effects).toEqual(["look", "pay"]);
  });

  test("makes no further calls, and calls the tool again when the run is resumed", async () => {
    const orderly = tool({
      name: "trip",
      input: empty,
      async execute(_input: unknown, { call }) {
        const first = await call("look", {}).catch(() => "failed");
        return [first, await call("note", {})].join();
      },
    });
    const ordering = (): Agent => agent().with({ tools: [orderly, does("look"), does("note")] });
    const middleware = [stepping(once(new Error("ENOSPC")))];
    const { state } = await failureOf(run(ordering(), "go", { middleware }));
    expect(effects).toEqual(["look"]);
    const done = await run(ordering(), state);
    expect(done.text).toContain("look is done,note is done");
    expect(effects).toEqual(["look", "note"]);
  });
});

describe("the state of an error", () => {
  const usage = { inputTokens: 5, outputTokens: 5 };

  test("is that of the whole run where the usage of an agent within is unknown", async () => {
    const silent = new Agent({ name: "Silent", model: new FunctionModel(() => "Done.") });
    const model = new FunctionModel(({ messages }) =>
      messages.length === 1
        ? { toolCalls: [{ toolName: "look" }, { toolName: "silent", arguments: { input: "x" } }], usage }
        : { text: "Done.", usage },
    );
    const agent = new Agent({ name: "Boss", model, tools: [does("look"), silent.asTool()] });
    const { error, state } = await failureOf(run(agent, "go", { maxTokens: 1_000 }));
    expect([error.code, state.agent]).toEqual(["budget-unknown", "Boss"]);
    expect(await run(agent, state)).toMatchObject({ status: "completed", text: "Done." });
    expect(effects).toEqual(["look"]);
  });

  test.each([
    ["an error", (error: SkeinError) => error],
    ["a frozen error", (error: SkeinError) => Object.freeze(error)],
  ])("is its own run's, though a store fails two runs with %s", async (_title, change) => {
    const shared = change(new SkeinError("The disk is full.", { code: "session-failed" }));
    const journal: Journal = {
      async step(key, perform) {
        if (key.includes("tool")) throw shared;
        return perform();
      },
    };
    const one = new Agent({ name: "One", model: calls("look"), tools: [does("look")] });
    const two = one.with({ name: "Two" });
    const [first, second] = await Promise.all([
      failureOf(run(one, "first", { journal })),
      failureOf(run(two, "second", { journal })),
    ]);
    expect([first.state, second.state]).toMatchObject([
      { agent: "One", messages: [{ content: "first" }, {}] },
      { agent: "Two", messages: [{ content: "second" }, {}] },
    ]);
    for (const { error } of [first, second]) {
      expect(error).toMatchObject({ code: "session-failed", message: "The disk is full." });
      expect(error).toBeInstanceOf(SkeinError);
    }
  });

  test("is the outer run's where a middleware lets through that of a run of its own", async () => {
    const inner = new Agent({ name: "Inner", model: clerk().model ?? "", toolChoice: { tool: "x" } });
    const middleware: Middleware[] = [
      {
        async run(_info, next) {
          await run(inner, "within");
          return next();
        },
      },
    ];
    const { state } = await failureOf(run(boss(), "go", { middleware }));
    expect(state).toMatchObject({ agent: "Boss", messages: [{ content: "go" }] });
  });
});

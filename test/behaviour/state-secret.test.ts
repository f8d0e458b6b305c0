import { describe, expect, test } from "vitest";
import { run, SkeinError, type Journal, type RunState, type Session } from "skein";
import { ScriptedModel } from "skein/testing";
import { decide, failure, idsOf, pay, stored, team } from "./test-clerk.ts";

const stateSecret = "a secret of this test";

/** A state that waits for approval, and what it takes to go on with it. */
async function paused(options: { readonly stateSecret?: string } = { stateSecret }) {
  const clerk = team([{ text: "One moment.", toolCalls: [pay(5)] }, "Paid."]);
  const result = await run(clerk.agent, "go", { context: { user: "ada", limits: [1, null] }, ...options });
  return { ...clerk, result, state: stored(result.state), approvals: decide(result).approvals };
}

type Path = readonly (string | number)[];

/** Every place of a value that is neither an object nor a list. */
function leavesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...path, key]));
}

/** A copy with another value at one place. */
function altered(state: RunState, [key = "", ...rest]: Path, change: (value: unknown) => unknown): RunState {
  const alter = (value: unknown, at: Path): unknown => {
    const [next, ...further] = at;
    if (next === undefined) return change(value);
    const items = Object.entries(value as object).map(([name, item]): [string, unknown] =>
      name === String(next) ? [name, alter(item, further)] : [name, item],
    );
    return Array.isArray(value) ? items.map(([, item]) => item) : Object.fromEntries(items);
  };
  return alter(state, [key, ...rest]) as RunState;
}

const another = (value: unknown): unknown =>
  typeof value === "number" ? value + 1 : typeof value === "string" ? `${value}x` : "x";

describe("with a secret", () => {
  test("resumes a state unchanged, for any order of its keys", async () => {
    const { agent, state, approvals, done } = await paused();
    const reversed = Object.fromEntries(Object.entries(state).toReversed()) as unknown as RunState;
    const result = await run(agent, reversed, { approvals, stateSecret });
    expect([result.status, done]).toEqual(["completed", ["pay 5"]]);
    expect(result.state.signature).toMatch(/^[0-9a-f]{64}$/);
    expect(result.state.signature).not.toBe(state.signature);
  });

  test("a state that was changed anywhere is refused", async () => {
    const { agent, model, state, approvals, done } = await paused();
    // Another version or shape, and an unknown agent, are refused before the signature, with words of their own.
    const isChecked = (place: Path): boolean =>
      place[0] !== "version" &&
      place.at(-1) !== "agent" &&
      !(place.includes("content") && place.at(-1) === "type");
    const places = leavesOf(state).filter(isChecked);
    expect(places.length).toBeGreaterThan(15);
    for (const place of places) {
      if (place.includes("role")) continue;
      const error = await failure(run(agent, altered(state, place, another), { approvals, stateSecret }));
      expect([place, error.message]).toEqual([place, expect.stringMatching(/was changed|is not pending/)]);
    }
    expect(done).toEqual([]);
    expect(model.requests).toHaveLength(1);
  });

  test("so is one that another agent of the team would resume", async () => {
    const { agent, state } = await paused();
    const boss = agent.with({ name: "Boss" });
    const leader = agent.with({ handoffs: [boss] });
    const messages = state.messages.map((message) =>
      message.role === "assistant" ? { ...message, agent: "Boss" } : message,
    );
    for (const changed of [
      { ...state, agent: "Boss" },
      { ...state, messages },
    ]) {
      const error = await failure(run(leader, changed, { stateSecret }));
      expect(error.message).toContain("The state was changed");
    }
    expect((await run(leader, state, { stateSecret })).status).toBe("paused");
  });

  test("so is one with more in it, less in it, or a number that JSON writes as null", async () => {
    const { agent, state, approvals } = await paused();
    const added = { ...state, context: { ...(state.context as object), admin: true } };
    const { approvals: _, ...taken } = state;
    const infinite = altered(state, ["context", "limits", 1], () => JSON.parse("1e999"));
    for (const changed of [added, taken, infinite]) {
      const error = await failure(run(agent, changed, { approvals, stateSecret }));
      expect(error.message).toContain("The state was changed");
    }
  });

  test("a state without a signature, or with that of another secret, is refused, also when nothing is decided", async () => {
    const { agent, state } = await paused();
    const { signature: _, ...unsigned } = state;
    expect((await failure(run(agent, unsigned, { stateSecret }))).message).toContain("has no signature");
    const empty = { ...state, signature: "" };
    expect((await failure(run(agent, empty, { stateSecret }))).message).toContain("was changed");
    const other = await failure(run(agent, state, { stateSecret: "another secret" }));
    expect(other.message).toContain("another stateSecret");
    expect((await failure(run(agent, state))).message).toContain("give the stateSecret");
  });

  test("a state that was refused is not signed on the way out", async () => {
    const { agent, state } = await paused();
    const forged = altered(state, ["context", "user"], () => "mallory");
    const error = await failure(run(agent, forged, { stateSecret }));
    expect(error.state?.signature).toBeUndefined();
    await failure(run(agent, stored(error.state ?? state), { stateSecret }));
  });

  test("the state of an error is signed, so that the run can go on", async () => {
    const { agent } = team([]);
    const down = new ScriptedModel([
      { error: new SkeinError("The provider is down.", { code: "down" }) },
      "Back.",
    ]);
    const clerk = agent.with({ model: down });
    const error: unknown = await run(clerk, "go", { stateSecret }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: "The provider is down." });
    const reached = error instanceof SkeinError ? error.state : undefined;
    expect((await run(clerk, stored(reached as RunState), { stateSecret })).text).toBe("Back.");
  });

  test("an approval id cannot be forged", async () => {
    const { result } = await paused();
    const { result: unsigned, agent } = await paused({});
    const { runId } = unsigned.state;
    const same = { ...stored(result.state), runId, signature: undefined } as unknown as RunState;
    // Signed and unsigned ids of one call differ: without the secret, the call does not match its id.
    const error = await failure(run(agent, stored(same), decide(result)));
    expect(error.message).toContain("has changed since approval was requested");
  });

  test("what JSON cannot carry of a context is not signed, of which the run warns", async () => {
    const { agent } = team(["Hello."]);
    const result = await run(agent, "go", { context: { big: 1n, small: 1 }, stateSecret });
    expect([result.text, result.state.context]).toEqual(["Hello.", { small: 1 }]);
    expect(result.warnings).toEqual([
      "context.big is a bigint and is not stored. Give it again with each run.",
    ]);
  });

  test("messages that JSON cannot carry leave the state unsigned, and the result as it is", async () => {
    const { agent } = team(["Hello."]);
    const message = { role: "user", content: "go", id: 1n } as const;
    const result = await run(agent, [message], { stateSecret });
    expect([result.text, result.state.signature]).toEqual(["Hello.", undefined]);
    expect(result.warnings).toEqual([expect.stringContaining("The state is not signed")]);
  });

  test("what JSON makes of a context is what is signed", async () => {
    const { agent, done } = team([{ toolCalls: [pay(5)] }, "Paid.", "Paid again."]);
    const context = { at: new Date(0), nothing: undefined, ratio: Number.NaN };
    const result = await run(agent, "go", { context, stateSecret });
    expect(result.state.context).toEqual({ at: "1970-01-01T00:00:00.000Z" });
    expect(result.context).toEqual(context);
    for (const state of [result.state, stored(result.state)])
      await run<unknown>(agent, state, { ...decide(result), stateSecret });
    expect(done).toEqual(["pay 5", "pay 5"]);
  });
});

describe("without a secret", () => {
  const callsAt = ["messages", 1, "toolCalls", 0] as const;

  test.each<[string, (state: RunState) => RunState]>([
    ["arguments", (state) => altered(state, [...callsAt, "arguments"], () => '{"amount":5000}')],
    [
      "arguments, there and in what is shown as pending",
      (state) =>
        altered(
          altered(state, [...callsAt, "arguments"], () => '{"amount":5000}'),
          ["pending", 0, "arguments"],
          () => '{"amount":5000}',
        ),
    ],
    [
      "arguments that are shown as pending",
      (state) => altered(state, ["pending", 0, "arguments"], () => "{}"),
    ],
    ["tool", (state) => altered(state, [...callsAt, "toolName"], () => "look")],
    ["run", (state) => altered(state, ["runId"], () => "another")],
    ["turn", (state) => altered(state, ["turn"], () => 7)],
    ["id", (state) => altered(state, ["approvals", 0, "approvalId"], (id) => `${String(id)}0`)],
  ])("a call with another %s is not the one that was asked for", async (_, change) => {
    const { agent, state, approvals, done } = await paused({});
    const error = await failure(run(agent, change(state), { approvals }));
    expect(error.message).toContain("has changed since approval was requested");
    await failure(run(agent, change(state)));
    expect(done).toEqual([]);
  });

  test.each(["approvals", "pending"])(
    "a state whose %s are not an array of calls is refused",
    async (name) => {
      const { agent, state, approvals } = await paused({});
      for (const value of ["x", [null], 7]) {
        const error = await failure(run(agent, { ...state, [name]: value }, { approvals }));
        expect(error.message).toMatch(new RegExp(`The state's ${name}.* must be `));
      }
    },
  );

  test("nothing is signed", async () => {
    const { result } = await paused({});
    expect(result.state).not.toHaveProperty("signature");
  });

  test("a decision does not hold for the same call of another run", async () => {
    const first = await paused({});
    const second = await paused({});
    expect(idsOf(first.result)).not.toEqual(idsOf(second.result));
    const error = await failure(run(second.agent, second.state, { approvals: first.approvals }));
    expect(error.message).toContain("is not pending");
  });
});

describe("a run that fails before it has begun", () => {
  const unreadable: Session = {
    load: () => Promise.reject(new Error("no disk")),
    append: () => Promise.resolve(),
    clear: () => Promise.resolve(),
  };
  const journal: Journal = {
    step: (key, perform) => (key === "run" ? Promise.reject(new Error("no disk")) : perform()),
  };

  async function stateOfFailure(running: Promise<unknown>): Promise<RunState> {
    const error: unknown = await running.catch((thrown: unknown) => thrown);
    if (!(error instanceof SkeinError) || !error.state) throw new Error("The run has not failed.");
    return stored(error.state);
  }

  test.each([
    ["its session", { session: unreadable }],
    ["its journal", { journal }],
  ])("for %s, has a signed state, with which it can be started again", async (_, options) => {
    const { agent } = team(["Hello."]);
    const state = await stateOfFailure(run(agent, "go", { stateSecret, ...options }));
    const resumed = await run(agent, state, { stateSecret });
    expect(resumed).toMatchObject({ status: "completed", text: "Hello." });
  });

  test("for a state that was changed, does not sign that state", async () => {
    const { agent, state } = await paused();
    const changed = { ...state, context: { user: "eve" } };
    for (const options of [{}, { journal }]) {
      const reached = await stateOfFailure(run(agent, changed, { stateSecret, ...options }));
      await expect(run(agent, reached, { stateSecret })).rejects.toThrow(/has no signature|has changed/);
    }
  });
});

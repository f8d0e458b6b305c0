import {
  array,
  asyncProperty,
  assert as assertProperty,
  boolean,
  constant,
  constantFrom,
  integer,
  nat,
  oneof,
  option,
  record,
  type Arbitrary,
} from "fast-check";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { executeToolCalls, type Tool, type ToolContext, type ToolPolicy, type ToolResult } from "skein";
import { loadAll, transient, workCalls, workTool, type WorkInput } from "./test-calls.ts";

/** What an attempt does, in milliseconds from its beginning. */
interface Attempt {
  readonly takes: number;
  readonly ends: "well" | "badly" | "transiently" | "never";
  readonly heedsSignal: boolean;
}

interface Batch {
  readonly at: number;
  readonly calls: readonly WorkInput[];
  readonly concurrency: number;
  readonly abortAfter: number | undefined;
}

const byGroup = ({ group = "" }: WorkInput): string => group;

const policies: Arbitrary<ToolPolicy<WorkInput, unknown>> = record(
  {
    retries: oneof(nat(2), record({ times: nat(3), delay: integer({ min: 1, max: 30 }) })),
    concurrency: integer({ min: 1, max: 3 }),
    serialize: oneof(constant(true), constant(byGroup)),
    rateLimit: record({ calls: integer({ min: 1, max: 3 }), per: integer({ min: 1, max: 40 }) }),
    cache: oneof(
      boolean(),
      record(
        {
          ttl: integer({ min: 1, max: 60 }),
          maxEntries: integer({ min: 1, max: 2 }),
          maxChars: integer({ min: 1, max: 200 }),
          key: constant(({ id, group }: WorkInput) => `${id} ${group}`),
          scope: constantFrom("run" as const, "shared" as const),
        },
        { requiredKeys: [] },
      ),
    ),
    final: boolean(),
  },
  { requiredKeys: [] },
).chain((policy) => integer({ min: 1, max: 60 }).map((timeout) => ({ ...policy, timeout })));

const attempts: Arbitrary<readonly Attempt[]> = array(
  record({
    takes: nat(25),
    ends: constantFrom("well", "well", "badly", "transiently", "never"),
    heedsSignal: boolean(),
  }),
  { minLength: 1, maxLength: 12 },
);

const batches: Arbitrary<readonly Batch[]> = array(
  record({
    at: nat(40),
    calls: array(record({ id: constantFrom("a", "b", "c"), group: constantFrom("x", "y") }), {
      minLength: 1,
      maxLength: 5,
    }),
    concurrency: integer({ min: 1, max: 5 }),
    abortAfter: option(nat(80), { nil: undefined }),
  }),
  { minLength: 1, maxLength: 4 },
);

/** Does what the attempts say in turn, and watches what goes on at the same time. */
class Watched {
  readonly #attempts: readonly Attempt[];
  readonly #policy: ToolPolicy<WorkInput, unknown>;
  #begun = 0;
  readonly #going: WorkInput[] = [];
  readonly #known = new Set<string>();
  /** When calls began; further attempts at them do not count. */
  readonly beginnings: number[] = [];
  readonly violations: string[] = [];

  constructor(plan: readonly Attempt[], policy: ToolPolicy<WorkInput, unknown>) {
    this.#attempts = plan;
    this.#policy = policy;
  }

  readonly execute = (input: WorkInput, context: ToolContext): Promise<unknown> => {
    if (!this.#known.has(context.idempotencyKey)) this.beginnings.push(performance.now());
    this.#known.add(context.idempotencyKey);
    const attempt = this.#attempts[this.#begun++ % this.#attempts.length];
    this.#enter(input, context);
    return new Promise((resolve, reject) => {
      const leave = (settle: () => void): void => {
        this.#leave(input);
        settle();
      };
      if (attempt?.heedsSignal) context.signal.addEventListener("abort", () => reject(new Error("stopped")));
      if (attempt?.ends === "never") return;
      setTimeout(() => {
        if (attempt?.ends === "well") leave(() => resolve(input));
        else leave(() => reject(attempt?.ends === "badly" ? new Error("bad") : transient("again")));
      }, attempt?.takes);
    });
  };

  #enter(input: WorkInput, { signal }: ToolContext): void {
    this.#going.push(input);
    // A call that is over is none that goes on, whether or not its tool takes notice.
    signal.addEventListener("abort", () => this.#leave(input));
    const { concurrency = Infinity, serialize } = this.#policy;
    if (typeof concurrency === "number" && this.#going.length > concurrency)
      this.violations.push("concurrency");
    const equals = this.#going.filter(({ group }) => serialize === true || group === input.group);
    if (serialize && equals.length > 1) this.violations.push("serialize");
  }

  #leave(input: WorkInput): void {
    const index = this.#going.indexOf(input);
    if (index >= 0) this.#going.splice(index, 1);
  }
}

beforeAll(loadAll);
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

async function resultsOf(work: Tool<WorkInput>, batch: Batch): Promise<readonly ToolResult[]> {
  await new Promise((resolve) => setTimeout(resolve, batch.at));
  const { signal } = abortedAfter(batch.abortAfter);
  const calls = workCalls(...batch.calls.map((call) => ({ ...call })));
  return executeToolCalls(calls, [work], { concurrency: batch.concurrency, signal });
}

function abortedAfter(ms: number | undefined): AbortController {
  const controller = new AbortController();
  if (ms !== undefined) setTimeout(() => controller.abort(), ms);
  return controller;
}

/** Each call has one result of its own, and successes are those of its arguments. */
function expectAnswers({ calls, abortAfter }: Batch, results: readonly ToolResult[]): void {
  expect(results.map(({ toolCallId }) => toolCallId)).toEqual(calls.map((_, index) => `call_${index + 1}`));
  for (const [index, { outcome, isError, structuredContent }] of results.entries()) {
    const failures = ["error", "timeout", ...(abortAfter === undefined ? [] : ["cancelled"])];
    expect(["success", ...failures]).toContain(outcome);
    expect(isError).toBe(outcome !== "success");
    expect(structuredContent).toEqual(isError ? undefined : calls[index]);
  }
}

function expectRate(beginnings: readonly number[], { rateLimit }: ToolPolicy<WorkInput, unknown>): void {
  if (!rateLimit) return;
  const { calls, per } = rateLimit;
  for (const [index, later] of beginnings.slice(calls).entries()) {
    expect(later - (beginnings[index] ?? 0)).toBeGreaterThanOrEqual(per);
  }
}

test("for all policies, latencies, failures and cancellations, every call ends once and within bounds", async () => {
  const property = asyncProperty(policies, attempts, batches, async (policy, plan, given) => {
    const watched = new Watched(plan, policy);
    const work = workTool(watched.execute, policy);
    const all = given.map((batch) => resultsOf(work, batch));
    let settled = 0;
    for (const results of all) void results.then(() => settled++);
    // Every call ends at its deadline, and waits for all others at most.
    await vi.advanceTimersByTimeAsync(20_000);
    expect(settled).toBe(given.length);
    for (const [index, batch] of given.entries()) expectAnswers(batch, (await all[index]) ?? []);
    expect(watched.violations).toEqual([]);
    expectRate(watched.beginnings, policy);
    // Nobody holds a place any more: with tools that do as they should, calls of every kind go through.
    const probe = new Watched([{ takes: 0, ends: "well", heedsSignal: true }], policy);
    const { policy: same } = work;
    const probing = executeToolCalls(workCalls({ id: "d", group: "x" }, { id: "e", group: "y" }), [
      { ...work, execute: probe.execute, policy: same },
    ]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await probing).map(({ outcome }) => outcome)).toEqual(["success", "success"]);
    expect(vi.getTimerCount()).toBe(0);
  });
  await assertProperty(property, { numRuns: 300 });
});

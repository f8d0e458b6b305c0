import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { executeToolCalls, RateLimitError, result, tool, type ToolPolicy, type ToolResult } from "skein";
import { loadAll, transient, workCalls, workTool, type WorkInput } from "./test-calls.ts";

beforeAll(loadAll);
beforeEach(() => {
  vi.useFakeTimers();
  // The longest waits there can be, so that a test knows when the next attempt is due.
  vi.spyOn(Math, "random").mockReturnValue(1);
});
afterEach(() => {
  vi.useRealTimers();
});

/** A tool that fails with the given errors in turn, and then succeeds. */
function failingTool(errors: readonly unknown[], policy: ToolPolicy<WorkInput, unknown>) {
  const start = performance.now();
  const attempts: number[] = [];
  const tool = workTool(() => {
    const error = errors[attempts.push(performance.now() - start) - 1];
    if (error !== undefined) throw error;
    return "ok";
  }, policy);
  return { tool, attempts };
}

async function settled(
  results: Promise<readonly ToolResult[]>,
  ms = 100_000,
): Promise<ToolResult | undefined> {
  await vi.advanceTimersByTimeAsync(ms);
  const [only] = await results;
  expect(vi.getTimerCount()).toBe(0);
  return only;
}

test("errors that may pass are tried again, each time after twice the wait", async () => {
  const { tool, attempts } = failingTool([transient("a"), transient("b"), transient("c")], { retries: 3 });
  const only = await settled(executeToolCalls(workCalls("a"), [tool]));
  expect(only).toMatchObject({ outcome: "success" });
  expect(attempts).toEqual([0, 200, 600, 1_400]);
});

test("waits are random", async () => {
  vi.mocked(Math.random).mockReturnValueOnce(0.5).mockReturnValueOnce(0.25);
  const { tool, attempts } = failingTool([transient("a"), transient("b")], { retries: 2 });
  await settled(executeToolCalls(workCalls("a"), [tool]));
  expect(attempts).toEqual([0, 100, 200]);
});

test("`delay` as a function says how long to wait after each failure, or gives up", async () => {
  const errors = [transient("a"), transient("b"), transient("c")];
  const waits = [7, 5, undefined];
  const delay = vi.fn<(error: unknown, attempt: number) => number | undefined>(
    (_, attempt) => waits[attempt],
  );
  const { tool, attempts } = failingTool(errors, { retries: { times: 9, delay } });
  const only = await settled(executeToolCalls(workCalls("a"), [tool]));
  expect(only).toMatchObject({ outcome: "error", content: [{ text: "work failed: c" }] });
  expect(attempts).toEqual([0, 7, 12]);
  expect(delay.mock.calls).toEqual(errors.map((error, attempt) => [error, attempt]));
});

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, "5"])(
  "a `delay` that returns %s fails the call",
  async (wait) => {
    const policy = { retries: { delay: (): number => Object(wait).valueOf() } };
    const { tool, attempts } = failingTool([transient("a")], policy);
    const only = await settled(executeToolCalls(workCalls("a"), [tool]));
    expect(JSON.stringify(only?.content)).toContain("must return milliseconds or undefined, not");
    expect(attempts).toHaveLength(1);
  },
);

test("once the attempts are used up, the last error is the result", async () => {
  const { tool, attempts } = failingTool([transient("a"), transient("b"), transient("c")], { retries: 1 });
  const only = await settled(executeToolCalls(workCalls("a"), [tool]));
  expect(only).toMatchObject({ outcome: "error", content: [{ text: "work failed: b" }] });
  expect(attempts).toHaveLength(2);
});

test.each([
  ["says nothing", new Error("wrong")],
  ["says that it will not pass", Object.assign(new Error("wrong"), { isRetryable: false })],
  ["is a string", "wrong"],
])("an error that %s is not tried again", async (_, error) => {
  const { tool, attempts } = failingTool([error], { retries: 5 });
  expect(await settled(executeToolCalls(workCalls("a"), [tool]))).toMatchObject({
    outcome: "error",
    content: [{ text: "work failed: wrong" }],
  });
  expect(attempts).toHaveLength(1);
});

test("errors of models and HTTP clients that say isRetryable are tried again", async () => {
  const error = new RateLimitError("slow down", { provider: "p", modelId: "m" });
  const { tool, attempts } = failingTool([error], { retries: 1 });
  expect(await settled(executeToolCalls(workCalls("a"), [tool]))).toMatchObject({ outcome: "success" });
  expect(attempts).toHaveLength(2);
});

test("an error that says how long to wait is tried again no sooner", async () => {
  const asking = (retryAfter: unknown): Error => Object.assign(transient("busy"), { retryAfter });
  const errors = [asking(5_000), asking(10), asking(Number.NaN), asking("soon"), asking(-10_000)];
  const { tool, attempts } = failingTool(errors, { retries: 5 });
  expect(await settled(executeToolCalls(workCalls("a"), [tool]))).toMatchObject({ outcome: "success" });
  expect(attempts).toEqual([0, 5_000, 5_400, 6_200, 7_800, 11_000]);
});

test("an error that asks for a longer wait than there is, is the result", async () => {
  const { tool, attempts } = failingTool([Object.assign(transient("busy"), { retryAfter: 30_001 })], {
    retries: 4,
  });
  expect(await settled(executeToolCalls(workCalls("a"), [tool]))).toMatchObject({ outcome: "error" });
  expect(attempts).toHaveLength(1);
});

test("no wait is longer than 30 seconds, which an error may ask for", async () => {
  const asking = Object.assign(transient("busy"), { retryAfter: 30_000 });
  const { tool, attempts } = failingTool([transient("a"), transient("b"), asking], {
    retries: { times: 3, delay: 20_000 },
    timeout: 100_000,
  });
  expect(await settled(executeToolCalls(workCalls("a"), [tool]))).toMatchObject({ outcome: "success" });
  expect(attempts).toEqual([0, 20_000, 50_000, 80_000]);
});

test("`when` decides instead, and `delay` is the first wait", async () => {
  const when = (error: unknown): boolean => error instanceof RangeError;
  const { tool, attempts } = failingTool([new RangeError("a"), transient("b")], {
    retries: { times: 5, delay: 1_000, when },
  });
  const only = await settled(executeToolCalls(workCalls("a"), [tool]));
  expect(only).toMatchObject({ outcome: "error", content: [{ text: "work failed: b" }] });
  expect(attempts).toEqual([0, 1_000]);
});

test("a result that says it is an error is not tried again", async () => {
  let attempts = 0;
  const tool = workTool(() => result({ value: `${++attempts}`, isError: true }), { retries: 3 });
  expect(await settled(executeToolCalls(workCalls("a"), [tool]))).toMatchObject({
    outcome: "error",
    content: [{ text: "1" }],
  });
});

test("the deadline bounds all attempts together, and is not tried again", async () => {
  const { tool, attempts } = failingTool(Array(100).fill(transient("a")), {
    retries: { times: 100, delay: 400 },
    timeout: 1_000,
  });
  const results = executeToolCalls(workCalls("a"), [tool]);
  await vi.advanceTimersByTimeAsync(999);
  expect(attempts).toEqual([0, 400]);
  expect(await settled(results, 1)).toMatchObject({ outcome: "timeout" });
  await vi.advanceTimersByTimeAsync(100_000);
  expect(attempts).toHaveLength(2);
});

test("a cancelled run ends the waiting", async () => {
  const { tool, attempts } = failingTool([transient("a")], { retries: { delay: 1_000 } });
  const controller = new AbortController();
  const results = executeToolCalls(workCalls("a"), [tool], { signal: controller.signal });
  await vi.advanceTimersByTimeAsync(500);
  controller.abort();
  expect(await settled(results, 0)).toMatchObject({ outcome: "cancelled" });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(attempts).toHaveLength(1);
});

test("every attempt has the same idempotency key, and arguments as the first one got them", async () => {
  const seen: unknown[] = [];
  const tool = workTool(
    (input, { idempotencyKey }) => {
      seen.push([idempotencyKey, { ...input }]);
      Object.assign(input, { id: "changed" });
      if (seen.length < 3) throw transient("again");
      return "ok";
    },
    { retries: 2 },
  );
  await settled(executeToolCalls(workCalls("a"), [tool]));
  expect(seen).toHaveLength(3);
  expect(new Set(seen.map((item) => JSON.stringify(item))).size).toBe(1);
  expect(seen[0]).toMatchObject([expect.stringContaining("call_1"), { id: "a" }]);
});

test("what a tool calls has the same idempotency key in every attempt", async () => {
  const keys: string[] = [];
  const charge = tool({
    name: "charge",
    input: { type: "object" },
    execute: (_, { idempotencyKey }) => void keys.push(idempotencyKey),
  });
  let attempts = 0;
  const work = workTool(
    async (_, context) => {
      await context.call("charge", {});
      await context.call("charge", {});
      if (++attempts < 2) throw transient("again");
      return "ok";
    },
    { retries: 1 },
  );
  const results = executeToolCalls(workCalls("a"), [work, charge]);
  expect(await settled(results)).toMatchObject({ outcome: "success" });
  expect(keys).toHaveLength(4);
  expect(keys.slice(2)).toEqual(keys.slice(0, 2));
  expect(new Set(keys).size).toBe(2);
});

test("a generator that fails after progress is started over; its progress is reported again", async () => {
  const progress: unknown[] = [];
  let attempts = 0;
  const tool = workTool(
    async function* () {
      yield "half";
      if (++attempts < 2) throw transient("again");
      return "whole";
    },
    { retries: 1 },
  );
  const results = executeToolCalls(workCalls("a"), [tool], {
    onProgress: (_, value) => progress.push(value),
  });
  expect(await settled(results)).toMatchObject({ outcome: "success", content: [{ text: "whole" }] });
  expect(progress).toEqual(["half", "half"]);
});

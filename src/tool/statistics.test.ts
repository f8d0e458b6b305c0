import { expect, test } from "vitest";
import type { ToolOutcome, ToolResult } from "../message/messages.ts";
import { ToolStatistics } from "./statistics.ts";

function call(toolName: string, outcome: ToolOutcome): ToolResult {
  return { toolCallId: "1", toolName, content: [], isError: outcome !== "success", outcome };
}

test("calls, errors by outcome, corrections and cache hits are counted by tool", () => {
  const statistics = new ToolStatistics();
  statistics.record(call("a", "success"), 1);
  statistics.record(call("a", "success"), 0, true);
  statistics.record(call("a", "error"), 1);
  statistics.record(call("a", "invalid-arguments"), 1);
  statistics.record(call("a", "invalid-arguments"), 1);
  statistics.record(call("b", "timeout"), 1);
  expect(statistics.report()).toMatchObject({
    a: { calls: 5, errors: { error: 1, "invalid-arguments": 2 }, corrections: 2, cacheHits: 1 },
    b: { calls: 1, errors: { timeout: 1 }, corrections: 0, cacheHits: 0 },
  });
});

test("the percentiles are those of a sorted list, to 5 in a hundred", () => {
  const statistics = new ToolStatistics();
  for (let ms = 1; ms <= 1_000; ms++) statistics.record(call("a", "success"), ms);
  const { p50 = 0, p90 = 0, p99 = 0 } = statistics.report()["a"]?.latencyMs ?? {};
  for (const [figure, exact] of [
    [p50, 500],
    [p90, 900],
    [p99, 990],
  ] as const)
    expect(Math.abs(figure / exact - 1)).toBeLessThan(0.05);
});

test("neither very short nor very long calls are out of bounds", () => {
  const statistics = new ToolStatistics();
  for (const ms of [0, -1, Number.MIN_VALUE]) statistics.record(call("short", "success"), ms);
  for (const ms of [1e12, Infinity]) statistics.record(call("long", "success"), ms);
  expect(statistics.report()["short"]?.latencyMs).toEqual({ p50: 0.001, p90: 0.001, p99: 0.001 });
  expect(statistics.report()["long"]?.latencyMs?.p50).toBeGreaterThan(1e8);
});

test("calls that never reached the tool say nothing of how long it takes", () => {
  const statistics = new ToolStatistics();
  statistics.record(call("a", "success"), 1e-9, true);
  for (const outcome of ["invalid-arguments", "not-executed", "denied", "cancelled"] as const)
    statistics.record(call("a", outcome), 1e-9);
  expect(statistics.report()["a"]?.latencyMs).toBeUndefined();
  statistics.record(call("a", "success"), 8);
  expect(statistics.report()["a"]?.latencyMs?.p50).toBeCloseTo(8, 0);
});

test("names that a model makes up share one entry", () => {
  const statistics = new ToolStatistics();
  for (let index = 0; index < 1_000; index++) statistics.record(call(`made_up_${index}`, "unknown-tool"), 1);
  expect(statistics.report()).toEqual({
    "(unknown)": {
      calls: 1_000,
      errors: { "unknown-tool": 1_000 },
      corrections: 1_000,
      cacheHits: 0,
      latencyMs: undefined,
    },
  });
});

test("calls of unknown tools are the last entry, whenever they came", () => {
  const statistics = new ToolStatistics();
  statistics.record(call("a", "success"), 1);
  statistics.record(call("made_up", "unknown-tool"), 1);
  statistics.record(call("b", "success"), 1);
  expect(Object.keys(statistics.report())).toEqual(["a", "b", "(unknown)"]);
});

test("a tool may be called like a member of every object", () => {
  const statistics = new ToolStatistics();
  statistics.record(call("__proto__", "success"), 1);
  statistics.record(call("constructor", "success"), 1);
  const report = statistics.report();
  expect(Object.keys(report)).toEqual(["__proto__", "constructor"]);
  expect(report["__proto__"]).toMatchObject({ calls: 1 });
  expect(report["toString"]).toBeUndefined();
  expect(JSON.stringify(report)).toMatch(/^\{"__proto__":\{"calls":1,.*"constructor":\{"calls":1,/);
});

test("only calls without success are errors, and the order in which latencies come does not matter", () => {
  const statistics = new ToolStatistics();
  const call = { toolCallId: "1", toolName: "t", content: [], isError: false } as const;
  for (const durationMs of [100, 1, 100, 1, 1, 1, 1, 1, 1, 1])
    statistics.record({ ...call, outcome: "success" }, durationMs);
  statistics.record({ ...call, isError: true, outcome: "denied" }, 1_000);
  const { errors, latencyMs } = statistics.of("t");
  expect(errors).toEqual({ denied: 1 });
  expect(latencyMs?.p50).toBeCloseTo(1, 0);
  expect(latencyMs?.p90).toBeGreaterThan(90);
});

test("a share of the calls took at most what each percentile says, whatever their number", () => {
  const latencyOf = (...durations: readonly number[]): unknown => {
    const statistics = new ToolStatistics();
    for (const ms of durations) statistics.record(call("a", "success"), ms);
    return statistics.of("a").latencyMs;
  };
  expect(latencyOf(0.001)).toEqual({ p50: 0.001, p90: 0.001, p99: 0.001 });
  expect(latencyOf(0.002, 0.001)).toEqual({ p50: 0.001, p90: 0.002, p99: 0.002 });
  expect(latencyOf(0.001, 0.002, 0.004)).toEqual({ p50: 0.002, p90: 0.004, p99: 0.004 });
  expect(latencyOf(0.004, 0.004, 0.001, 0.001, 0.001)).toMatchObject({ p50: 0.001, p90: 0.004 });
  // The last step of the histogram is at two days.
  expect(latencyOf(1e12)).toMatchObject({ p50: Number((0.001 * 2 ** (300 / 8)).toPrecision(3)) });
});

test("errors and timeouts took their time, and what was cached did not", () => {
  const statistics = new ToolStatistics();
  for (const outcome of ["error", "timeout"] as const) statistics.record(call(outcome, outcome), 0.001);
  statistics.record(call("cached", "success"), 0.001, true);
  statistics.record(call("cached", "error"), 0.001, false);
  for (const name of ["error", "timeout"])
    expect(statistics.of(name).latencyMs).toMatchObject({ p50: 0.001 });
  expect(statistics.of("cached")).toMatchObject({
    calls: 2,
    cacheHits: 1,
    errors: { error: 1 },
    latencyMs: { p50: 0.001 },
  });
  expect(statistics.of("none")).toEqual({
    calls: 0,
    errors: {},
    corrections: 0,
    cacheHits: 0,
    latencyMs: undefined,
  });
});

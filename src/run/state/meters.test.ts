import { expect, test } from "vitest";
import type { ToolOutcome, ToolResult } from "../../message/messages.ts";
import type { ModelCall } from "../../model/model-call.ts";
import { Meters } from "./meters.ts";

const usage = { inputTokens: 2, outputTokens: 3, totalTokens: 5 };
const call = { provider: "p", modelId: "m", usage };
const resultOf = (outcome: ToolOutcome): ToolResult => ({
  toolCallId: "1",
  toolName: "f",
  content: [],
  isError: outcome !== "success",
  outcome,
});

test("turns and usage count on from those of the state that a run resumes", () => {
  const meters = new Meters();
  meters.startFrom({ turn: 3, usage });
  expect([meters.addTurn(), meters.addTurn(), meters.turns, meters.turn]).toEqual([4, 5, 2, 5]);
  meters.addModelCall(call);
  expect([meters.usage, meters.totalUsage]).toMatchObject([
    usage,
    { inputTokens: 4, outputTokens: 6, totalTokens: 10 },
  ]);
});

test("an answer counts for every run around it, and its usage for its own", () => {
  const outer = new Meters();
  const inner = new Meters(new Meters(outer));
  inner.addModelCall(call);
  expect([outer.modelCalls, inner.modelCalls]).toEqual([[call], [call]]);
  expect(outer.usage.totalTokens).toBeUndefined();
});

test("an answer that is remembered counts as the others do, and is not reported again", () => {
  const reported: ModelCall[] = [];
  const outer = new Meters(undefined, (each) => reported.push(each));
  const inner = new Meters(outer);
  inner.addModelCall(call);
  inner.addModelCall({ ...call, modelId: "remembered" }, true);
  outer.addModelCall(call);
  expect([outer.modelCalls.length, inner.usage.totalTokens, reported]).toEqual([3, 10, [call, call]]);
});

test("calls that were executed count, and those of them that failed", () => {
  const meters = new Meters();
  meters.addResults([resultOf("success"), resultOf("error"), resultOf("denied"), resultOf("not-executed")]);
  meters.addCacheHit();
  expect(meters.stats()).toMatchObject({ toolCalls: 3, toolErrors: 2, cacheHits: 1 });
});

test("the share of the input that was read from a cache is of this run alone", () => {
  const meters = new Meters();
  expect(meters.stats().cachedInputShare).toBeUndefined();
  const usage = { inputTokens: 100, outputTokens: 1, totalTokens: 101 };
  const call = { provider: "p", modelId: "m", usage };
  meters.startFrom({ turn: 1, usage: { ...usage, cachedInputTokens: 100 } });
  meters.addModelCall(call);
  expect(meters.stats().cachedInputShare).toBeUndefined();
  meters.addModelCall({ ...call, usage: { ...usage, cachedInputTokens: 80 } });
  expect(meters.stats().cachedInputShare).toBe(0.4);
});

test("times add up, and events are numbered from 0 on", () => {
  const meters = new Meters();
  for (const ms of [5, 7]) meters.addModelTime(ms);
  for (const ms of [1, 2]) meters.addToolTime(ms);
  expect(meters.stats()).toMatchObject({ modelMs: 12, toolMs: 3 });
  expect(meters.stats().totalMs).toBeGreaterThanOrEqual(0);
  expect(meters.stats().totalMs).toBeLessThan(60_000);
  expect([meters.addEvent(), meters.addEvent()]).toEqual([0, 1]);
});

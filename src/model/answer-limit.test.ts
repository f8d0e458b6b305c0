import { expect, test } from "vitest";
import { AnswerMeter } from "./answer-limit.ts";

const most = 67_108_864;

test("an answer may have 67,108,864 characters beside its output, and not one more", () => {
  const meter = new AnswerMeter();
  expect([meter.accepts(most - 64, false), meter.accepts(64, false)]).toEqual([true, true]);
  expect(meter.accepts(64, false)).toBe(false);
});

test("of an event with output, 512 characters are what is around it", () => {
  const meter = new AnswerMeter();
  expect([meter.accepts(most - 1_000 + 512, true), meter.accepts(1_000 + 512, true)]).toEqual([true, true]);
  expect(meter.accepts(0, true)).toBe(false);
});

test("each event counts as 64 characters at least, with output or without", () => {
  for (const hasOutput of [true, false]) {
    const meter = new AnswerMeter();
    meter.accepts(most - 128, false);
    const accepted = [1, 1, 1].map((length) => meter.accepts(length, hasOutput));
    expect(accepted).toEqual([true, true, false]);
  }
});

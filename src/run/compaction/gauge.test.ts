import { expect, test } from "vitest";
import { Agent } from "skein";
import { noUsage } from "../../message/usage.ts";
import { startRun } from "../start.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { Gauge } from "./gauge.ts";

/** A run whose history is "abcd": a token, and four of every message. */
const newRun = (): ActiveRun => startRun(new Agent({ name: "A" }), "abcd", {});

/** Notes an answer for which the provider has read `inputTokens`. */
const report = (run: ActiveRun, inputTokens: number | undefined): void =>
  run.meters.addModelCall({ provider: "p", modelId: "m", usage: { ...noUsage, inputTokens } });

const append = (run: ActiveRun, content: string): unknown =>
  run.conversation.append({ role: "user", content });

test("a request is its instructions, its tools and its messages, each message once", () => {
  const run = newRun();
  const gauge = new Gauge();
  expect(gauge.count(run, undefined, undefined)).toBe(5);
  expect(gauge.count(run, "12345678", undefined)).toBe(7);
  const tools = [{ name: "look", inputSchema: {} }];
  const toolTokens = JSON.stringify(tools).length / 4;
  expect(gauge.count(run, "12345678", tools)).toBe(Math.round(7 + toolTokens));
  append(run, "abcd");
  expect(gauge.count(run, "12345678", [])).toBe(13);
  run.conversation.compact(run.conversation.messages.slice(1));
  expect(gauge.recount(run)).toBe(8);
});

test("what the provider reports of a request corrects the estimates after it", () => {
  const run = newRun();
  const gauge = new Gauge();
  const next = (inputTokens: number | undefined): number => {
    gauge.count(run, undefined, undefined);
    gauge.ask(run);
    report(run, inputTokens);
    gauge.count(run, undefined, undefined);
    return gauge.factor;
  };
  const estimate = new Gauge().count(run, undefined, undefined);
  expect(next(undefined)).toBe(1);
  expect(next(2 * estimate)).toBe(2);
  // What earlier requests have used is not of this one.
  expect(next(3 * estimate)).toBe(3);
  expect(next(0)).toBe(3);
  expect(gauge.count(run, undefined, undefined)).toBe(3 * estimate);
});

test.each([
  [8, 4],
  [1 / 8, 1 / 4],
])("a report of %d times the estimate counts as one of %d times", (times, factor) => {
  const run = newRun();
  const gauge = new Gauge();
  const estimate = gauge.count(run, "1234567890123456", []);
  gauge.ask(run);
  report(run, estimate * times);
  gauge.count(run, "1234567890123456", []);
  expect(gauge.factor).toBe(factor);
});

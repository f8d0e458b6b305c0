import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ScriptedModel } from "../../testing/scripted-model.ts";
import { logged, type ModelLogEntry } from "./logged.ts";
import { answerOf, ask, eventsOf, failureOf, tooMany } from "./test-models.ts";

beforeEach(() => void vi.useFakeTimers({ now: new Date("2026-10-27T12:00:00Z") }));
afterEach(() => void vi.useRealTimers());

test("an answered request is reported with times, usage and finish reason, without any content", async () => {
  const log: ModelLogEntry[] = [];
  const turn = {
    text: "The word is sesame",
    toolCalls: [{ toolName: "open", arguments: { word: "sesame" } }],
    usage: { inputTokens: 5, outputTokens: 7 },
    delay: 10,
  };
  const model = logged(new ScriptedModel([turn], { provider: "p", modelId: "m" }), (entry) =>
    log.push(entry),
  );
  const answer = answerOf(model, ask("Open sesame", { instructions: "sesame" }));
  await vi.runAllTimersAsync();
  await answer;
  expect(log).toEqual([
    {
      provider: "p",
      modelId: "m",
      outcome: "finished",
      startedAt: "2026-10-27T12:00:00.000Z",
      durationMs: 30,
      firstEventMs: 10,
      messages: 1,
      tools: 0,
      toolCalls: 1,
      finishReason: "tool-calls",
      usage: { inputTokens: 5, outputTokens: 7, totalTokens: 12 },
    },
  ]);
  expect(JSON.stringify(log)).not.toContain("sesame");
});

test("a failure is reported by name, code and message, without keys and with at most a thousand characters", async () => {
  const log: ModelLogEntry[] = [];
  const long = new Error(`the key sk-proj-abcdef123456 ${"x".repeat(5000)}`);
  const model = logged(new ScriptedModel([{ error: tooMany() }, { error: long }]), (entry) =>
    log.push(entry),
  );
  await failureOf(model);
  expect(await failureOf(model)).toBe(long);
  expect(log).toMatchObject([
    { outcome: "failed", error: { name: "RateLimitError", code: "rate-limit", message: "too many" } },
    { outcome: "failed", error: { name: "Error" } },
  ]);
  expect(log[1]?.error?.message).toMatch(/^the key \[redacted\] x+$/);
  expect(log[1]?.error?.message).toHaveLength(1000);
});

test("a request that was cancelled, or whose reader left, is reported as such, once", async () => {
  const log: ModelLogEntry[] = [];
  const turn = { text: "one two three", chunkSize: 4 };
  const model = logged(new ScriptedModel([turn, turn, turn]), (entry) => log.push(entry));
  const controller = new AbortController();
  const cancelled = (async () => {
    for await (const _ of model.stream(ask("Hello", { signal: controller.signal })))
      controller.abort(new Error("enough"));
  })();
  await expect(cancelled).rejects.toThrow("enough");
  for await (const event of model.stream(ask())) if (event.type === "text-delta") break;
  for await (const event of model.stream(ask())) if (event.type === "finish") break;
  expect(log.map(({ outcome }) => outcome)).toEqual(["cancelled", "left", "finished"]);
});

test("a log that throws neither fails an answer nor hides a failure", async () => {
  const error = tooMany();
  const model = logged(new ScriptedModel(["Hi.", { error }]), () => {
    throw new Error("no disk");
  });
  const events = await eventsOf(model);
  expect(events.at(-1)).toMatchObject({
    generation: { text: "Hi.", warnings: ["The log of scripted:scripted threw: no disk"] },
  });
  expect(await failureOf(model)).toBe(error);
});

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { AuthenticationError } from "../../errors.ts";
import { readAnswer } from "../../model/stream-model.ts";
import { FunctionModel } from "../../testing/function-model.ts";
import { ScriptedModel } from "../../testing/scripted-model.ts";
import { retry } from "./retry.ts";
import { answerOf, ask, eventsOf, failureOf, tooMany } from "./test-models.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("retryable failures are retried after the delay that the provider asks for", async () => {
  const model = new ScriptedModel([{ error: tooMany({ retryAfter: 700 }) }, "At last."]);
  const answer = answerOf(retry(model));
  await vi.advanceTimersByTimeAsync(699);
  expect(model.requests).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect((await answer).text).toBe("At last.");
  model.assertComplete();
});

test("other failures are not retried", async () => {
  const error = new AuthenticationError("wrong key", { provider: "test", modelId: "test" });
  const model = new ScriptedModel([{ error }]);
  expect(await failureOf(retry(model))).toBe(error);
  model.assertComplete();
});

test("a failure after the first event is not retried", async () => {
  const model = new ScriptedModel([{ text: "Half", chunkSize: 2, error: tooMany(), errorAfter: 1 }]);
  expect(await failureOf(retry(model))).toBeInstanceOf(Error);
  model.assertComplete();
});

test("a run, or another retry around it, does not multiply the attempts", async () => {
  const model = new FunctionModel(() => {
    throw tooMany({ retryAfter: 1 });
  });
  const stream = vi.spyOn(model, "stream");
  const outer = retry(retry(model, { times: 2 }), { times: 5 });
  const failed = readAnswer(outer, ask(), () => undefined).catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  expect(await failed).toMatchObject({ code: "rate-limit" });
  expect(stream).toHaveBeenCalledTimes(3);
});

test("`delay` decides on every failure, with the number of the attempt", async () => {
  const model = new ScriptedModel([
    { error: new TypeError("odd") },
    { error: new TypeError("odd") },
    "Here.",
  ]);
  const delay = vi.fn<(error: unknown, attempt: number) => number>((_, attempt) => 10 * (attempt + 1));
  const answer = answerOf(retry(model, { delay }));
  await vi.runAllTimersAsync();
  expect((await answer).text).toBe("Here.");
  expect(delay.mock.calls.map(([, attempt]) => attempt)).toEqual([0, 1]);
});

test("a number as `delay` is the most that the first wait takes, and doubles", async () => {
  const random = vi.spyOn(Math, "random").mockReturnValue(1);
  const model = new ScriptedModel([{ error: tooMany() }, { error: tooMany() }, "Here."]);
  let isOver = false;
  const answer = answerOf(retry(model, { delay: 20 }));
  void answer.then(() => (isOver = true));
  await vi.advanceTimersByTimeAsync(59);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect((await answer).text).toBe("Here.");
  random.mockRestore();
  const other = new ScriptedModel([{ error: new TypeError("odd") }]);
  expect(await failureOf(retry(other, { delay: 20 }))).toMatchObject({ message: "odd" });
});

test("a delay ends when the signal is aborted", async () => {
  const model = new ScriptedModel([{ error: tooMany({ retryAfter: 50_000 }) }]);
  const controller = new AbortController();
  const failed = failureOf(retry(model), ask("Hello", { signal: controller.signal }));
  await vi.advanceTimersByTimeAsync(10);
  controller.abort(new Error("enough"));
  expect(await failed).toMatchObject({ message: "enough" });
  expect(vi.getTimerCount()).toBe(0);
});

test("invalid options are errors", () => {
  const model = new ScriptedModel([]);
  expect(() => retry(model, { times: -1 })).toThrow("times must be a number of at least 0, not -1");
  for (const delay of [-1, Number.NaN, "20", null])
    expect(() => Reflect.apply(retry, undefined, [model, { delay }])).toThrow(
      "delay of retry() must be milliseconds of at least 0, or a function that returns them, not",
    );
  expect(() => retry(model, JSON.parse('{"retries":1}'))).toThrow('no option "retries"');
  expect(() => retry(JSON.parse("{}"))).toThrow("is not a Model");
});

test("a stream without events is a failure", async () => {
  const silent = { provider: "test", modelId: "silent", async *stream() {} };
  expect(await failureOf(retry(silent))).toMatchObject({ code: "malformed-response" });
  expect(await eventsOf(retry(new ScriptedModel(["Hi."])))).toHaveLength(2);
});

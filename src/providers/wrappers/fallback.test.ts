import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  AuthenticationError,
  ContentFilterError,
  ContextLengthError,
  InvalidRequestError,
  MalformedResponseError,
  type ModelError,
  NetworkError,
} from "../../errors.ts";
import { FunctionModel } from "../../testing/function-model.ts";
import { ScriptedModel } from "../../testing/scripted-model.ts";
import { fallback } from "./fallback.ts";
import { answerOf, ask, failureOf, tooMany } from "./test-models.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const names = { provider: "test", modelId: "a" };

function scripted(modelId: string, turns: ConstructorParameters<typeof ScriptedModel>[0]): ScriptedModel {
  return new ScriptedModel(turns, { provider: `by-${modelId}`, modelId });
}

test("the first model answers as if it were alone, and is named by the whole", async () => {
  const team = fallback([scripted("a", ["From a."]), scripted("b", [])]);
  expect(team).toMatchObject({ provider: "by-a", modelId: "a" });
  const answer = await answerOf(team);
  expect(answer).toMatchObject({ text: "From a.", warnings: [], response: { provider: "by-a" } });
});

test("where another model answers, the generation says who, and who did not and why", async () => {
  const team = fallback([
    scripted("a", [{ error: tooMany() }]),
    scripted("b", [{ error: new NetworkError("gone", names) }]),
    scripted("c", ["From c."]),
  ]);
  expect(await answerOf(team)).toMatchObject({
    text: "From c.",
    response: { provider: "by-c", modelId: "c" },
    warnings: ["by-c:c answered in place of by-a:a (rate-limit) and by-b:b (network)."],
  });
});

const failures: readonly (readonly [what: string, error: unknown, isElsewhere: boolean])[] = [
  ["a spent quota", tooMany({ isRetryable: false }), true],
  ["a broken connection", new NetworkError("gone", names), true],
  ["an answer that cannot be read", new MalformedResponseError("garbled", names), true],
  ["a key that is not accepted", new AuthenticationError("key", names), true],
  ["a history that is too long", new ContextLengthError("long", names), true],
  ["a model that is not there", new InvalidRequestError("no such model", { ...names, status: 404 }), true],
  ["a request that is wrong", new InvalidRequestError("wrong", { ...names, status: 400 }), false],
  ["a refusal for the content", new ContentFilterError("refused", names), false],
  ["a mistake in a model's code", new TypeError("undefined is no function"), false],
  ["a cancellation", new DOMException("stopped", "AbortError"), false],
];

test.each(failures)("after %s the next model is asked, or not", async (_what, error, isElsewhere) => {
  const team = fallback([scripted("a", [{ error }]), scripted("b", ["From b."])]);
  const told = isElsewhere ? (await answerOf(team)).text : await failureOf(team);
  expect(told).toBe(isElsewhere ? "From b." : error);
});

test("`on` decides instead, but not on a cancellation", async () => {
  const on = vi.fn<(error: unknown) => boolean>((error) => error instanceof TypeError);
  const odd = new TypeError("odd");
  expect(
    (await answerOf(fallback([scripted("a", [{ error: odd }]), scripted("b", ["B"])], { on }))).text,
  ).toBe("B");
  const error = tooMany();
  expect(await failureOf(fallback([scripted("a", [{ error }]), scripted("b", [])], { on }))).toBe(error);
  const abort = new DOMException("stopped", "AbortError");
  const always = fallback([scripted("a", [{ error: abort }]), scripted("b", [])], { on: () => true });
  expect(await failureOf(always)).toBe(abort);
});

test("no other model is asked for a request that was cancelled meanwhile", async () => {
  const controller = new AbortController();
  const broken = new FunctionModel(() => {
    controller.abort(new Error("stop"));
    throw tooMany();
  });
  const next = scripted("b", ["From b."]);
  await failureOf(fallback([broken, next]), ask("Hello", { signal: controller.signal }));
  expect(next.requests).toHaveLength(0);
});

test("a failure after the first event is the answer's", async () => {
  const next = scripted("b", ["From b."]);
  const team = fallback([scripted("a", [{ text: "Half", errorAfter: 1 }]), next]);
  expect(await failureOf(team)).toBeInstanceOf(NetworkError);
  expect(next.requests).toHaveLength(0);
});

test("a model that failed rests for the cool-down, or as long as its provider asks", async () => {
  const first = scripted("a", [{ error: tooMany({ retryAfter: 5000 }) }, "From a."]);
  const team = fallback([first, scripted("b", ["1", "2", "3"])], { cooldown: 1000 });
  expect((await answerOf(team)).text).toBe("1");
  vi.advanceTimersByTime(4999);
  expect(await answerOf(team)).toMatchObject({
    text: "2",
    warnings: ["by-b:b answered in place of by-a:a (rate-limit)."],
  });
  expect(first.requests).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(await answerOf(team)).toMatchObject({ text: "From a.", warnings: [] });
});

test("a request that was too long for a model does not send it to rest", async () => {
  const error: ModelError = new ContextLengthError("long", names);
  const team = fallback([scripted("a", [{ error }, "From a."]), scripted("b", ["From b."])]);
  expect((await answerOf(team)).text).toBe("From b.");
  expect((await answerOf(team)).text).toBe("From a.");
});

test("models that rest are asked when no other answers, and are back when they do; the last error is thrown", async () => {
  const last = tooMany({ status: 429 });
  const team = fallback([
    scripted("a", [{ error: tooMany() }, "Back again.", "And again."]),
    scripted("b", [{ error: last }, { error: tooMany() }]),
  ]);
  expect(await failureOf(team)).toBe(last);
  expect((await answerOf(team)).text).toBe("Back again.");
  expect(await answerOf(team)).toMatchObject({ text: "And again.", warnings: [] });
});

test("what is no list of models, and options that cannot be meant, are errors", () => {
  expect(() => fallback([])).toThrow("takes a list of models");
  expect(() => fallback(JSON.parse('"openai:gpt-5.2"'))).toThrow("takes a list of models");
  expect(() => fallback([scripted("a", [])], { cooldown: Number.NaN })).toThrow("cooldown is NaN");
  expect(() => fallback([scripted("a", [])], JSON.parse('{"cooldow":1}'))).toThrow('Did you mean "cooldown"');
});

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

test("the first model answers as if it were alone, and gives the whole its name", async () => {
  const model = fallback([scripted("a", ["From a."]), scripted("b", [])]);
  expect(model).toMatchObject({ provider: "by-a", modelId: "a" });
  const answer = await answerOf(model);
  expect(answer).toMatchObject({ text: "From a.", warnings: [], response: { provider: "by-a" } });
});

test("if another model answers, the generation names it, and says which models failed and why", async () => {
  const model = fallback([
    scripted("a", [{ error: tooMany() }]),
    scripted("b", [{ error: new NetworkError("gone", names) }]),
    scripted("c", ["From c."]),
  ]);
  expect(await answerOf(model)).toMatchObject({
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
  ["an unknown model", new InvalidRequestError("no such model", { ...names, status: 404 }), true],
  ["an invalid request", new InvalidRequestError("wrong", { ...names, status: 400 }), false],
  ["a refusal of the content", new ContentFilterError("refused", names), false],
  ["a mistake in a model's code", new TypeError("undefined is not a function"), false],
  ["a cancellation", new DOMException("stopped", "AbortError"), false],
];

test.each(failures)("after %s the next model is called, or not", async (_what, error, isNextCalled) => {
  const model = fallback([scripted("a", [{ error }]), scripted("b", ["From b."])]);
  const outcome = isNextCalled ? (await answerOf(model)).text : await failureOf(model);
  expect(outcome).toBe(isNextCalled ? "From b." : error);
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

test("no other model is called for a request that was cancelled", async () => {
  const controller = new AbortController();
  const broken = new FunctionModel(() => {
    controller.abort(new Error("stop"));
    throw tooMany();
  });
  const next = scripted("b", ["From b."]);
  await failureOf(fallback([broken, next]), ask("Hello", { signal: controller.signal }));
  expect(next.requests).toHaveLength(0);
});

test("a failure after the first event fails the answer", async () => {
  const next = scripted("b", ["From b."]);
  const model = fallback([scripted("a", [{ text: "Half", errorAfter: 1 }]), next]);
  expect(await failureOf(model)).toBeInstanceOf(NetworkError);
  expect(next.requests).toHaveLength(0);
});

test("a model that failed is tried last for the cool-down, or as long as its provider asks", async () => {
  const first = scripted("a", [{ error: tooMany({ retryAfter: 5000 }) }, "From a."]);
  const model = fallback([first, scripted("b", ["1", "2", "3"])], { cooldown: 1000 });
  expect((await answerOf(model)).text).toBe("1");
  vi.advanceTimersByTime(4999);
  expect(await answerOf(model)).toMatchObject({
    text: "2",
    warnings: ["by-b:b answered in place of by-a:a (rate-limit)."],
  });
  expect(first.requests).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(await answerOf(model)).toMatchObject({ text: "From a.", warnings: [] });
});

test("a model that refused a request for its length is tried first again", async () => {
  const error: ModelError = new ContextLengthError("long", names);
  const model = fallback([scripted("a", [{ error }, "From a."]), scripted("b", ["From b."])]);
  expect((await answerOf(model)).text).toBe("From b.");
  expect((await answerOf(model)).text).toBe("From a.");
});

test("models in their cool-down are called when no other answers, and recover when they do; the last error is thrown", async () => {
  const last = tooMany({ status: 429 });
  const model = fallback([
    scripted("a", [{ error: tooMany() }, "Back again.", "And again."]),
    scripted("b", [{ error: last }, { error: tooMany() }]),
  ]);
  expect(await failureOf(model)).toBe(last);
  expect((await answerOf(model)).text).toBe("Back again.");
  expect(await answerOf(model)).toMatchObject({ text: "And again.", warnings: [] });
});

test("anything but a list of models, and invalid options, are errors", () => {
  expect(() => fallback([])).toThrow("requires a list of at least one model");
  expect(() => fallback(JSON.parse('"openai:gpt-5.2"'))).toThrow("requires a list of at least one model");
  expect(() => fallback([scripted("a", [])], { cooldown: Number.NaN })).toThrow(
    "cooldown must be a number of at least 0, not NaN",
  );
  expect(() => fallback([scripted("a", [])], JSON.parse('{"cooldow":1}'))).toThrow('Did you mean "cooldown"');
});

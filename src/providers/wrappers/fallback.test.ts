import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  AuthenticationError,
  ConfigurationError,
  ContentFilterError,
  ContextLengthError,
  InvalidRequestError,
  MalformedResponseError,
  type ModelError,
  ModelTimeoutError,
  OverloadedError,
  NetworkError,
} from "../../errors.ts";
import { Agent } from "../../agent/agent.ts";
import type { Model } from "../../model/types.ts";
import { run } from "../../run/run.ts";
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
  ["an overloaded provider", new OverloadedError("busy", names), true],
  ["a silence", new ModelTimeoutError("slow", names), true],
  [
    "a mistake in the configuration",
    new ConfigurationError("no package", { code: "missing-package" }),
    false,
  ],
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

test("a model that breaks off in the middle of an answer is tried last the next time", async () => {
  const first = scripted("a", [{ text: "Half", errorAfter: 1 }, "From a."]);
  const model = fallback([first, scripted("b", ["From b."])], { cooldown: 1000 });
  expect(await failureOf(model)).toBeInstanceOf(NetworkError);
  expect((await answerOf(model)).text).toBe("From b.");
  vi.advanceTimersByTime(1000);
  expect((await answerOf(model)).text).toBe("From a.");
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

/** The default of `cooldown`. */
const defaultCooldown = 30_000;

test("without `cooldown`, a model that failed is tried last for 30 seconds", async () => {
  const model = fallback([scripted("a", [{ error: tooMany() }, "From a."]), scripted("b", ["1", "2"])]);
  expect((await answerOf(model)).text).toBe("1");
  vi.advanceTimersByTime(defaultCooldown - 1);
  expect((await answerOf(model)).text).toBe("2");
  vi.advanceTimersByTime(1);
  expect((await answerOf(model)).text).toBe("From a.");
});

test("a cool-down belongs to the object: another one of the same models knows nothing of it", async () => {
  const first = scripted("a", [{ error: tooMany() }, "From a."]);
  const second = scripted("b", ["From b."]);
  expect((await answerOf(fallback([first, second]))).text).toBe("From b.");
  expect((await answerOf(fallback([first, second]))).text).toBe("From a.");
});

test("a cool-down of 0 is none", async () => {
  const model = fallback([scripted("a", [{ error: tooMany() }, "From a."]), scripted("b", ["From b."])], {
    cooldown: 0,
  });
  expect((await answerOf(model)).text).toBe("From b.");
  expect((await answerOf(model)).text).toBe("From a.");
});

test("`on` has no say after the first event", async () => {
  const on = vi.fn<(error: unknown) => boolean>(() => true);
  const model = fallback([scripted("a", [{ text: "Half", errorAfter: 1 }]), scripted("b", [])], { on });
  expect(await failureOf(model)).toBeInstanceOf(NetworkError);
  expect(on).not.toHaveBeenCalled();
});

test("what `on` throws is the error of the answer", async () => {
  const broken = new TypeError("on is broken");
  const next = scripted("b", []);
  const on = (): never => {
    throw broken;
  };
  expect(await failureOf(fallback([scripted("a", [{ error: tooMany() }]), next], { on }))).toBe(broken);
  expect(next.requests).toHaveLength(0);
});

test("in a run, the model that answered is the one that is paid, and the run warns", async () => {
  const model = fallback([scripted("a", [{ error: tooMany() }]), scripted("b", ["From b."])]);
  const { modelCalls, warnings, text } = await run(new Agent({ name: "A", model }), "Go.");
  expect(text).toBe("From b.");
  expect(modelCalls).toMatchObject([{ provider: "by-b", modelId: "b" }]);
  expect(warnings).toEqual(["by-b:b answered in place of by-a:a (rate-limit)."]);
});

test("models may be names, and a name that leads to no model fails as a mistake of the program", async () => {
  const model = fallback([scripted("a", [{ error: tooMany() }]), "offline"]);
  expect(await answerOf(model)).toMatchObject({
    warnings: ["offline:offline answered in place of by-a:a (rate-limit)."],
  });
  const next = scripted("b", []);
  expect(await failureOf(fallback(["nobody:nothing", next]))).toBeInstanceOf(ConfigurationError);
  expect(next.requests).toHaveLength(0);
});

test("fallbacks can be nested: the last error of the inner one leads to the next model", async () => {
  const inner = fallback([scripted("a", [{ error: tooMany() }]), scripted("b", [{ error: tooMany() }])]);
  expect((await answerOf(fallback([inner, scripted("c", ["From c."])]))).text).toBe("From c.");
});

test("an output is supported only on a clear yes of every model, and a promise is none", () => {
  const output = { name: "o", schema: { type: "object" } } as const;
  const saying = (supportsOutput: unknown): Model => Object.assign(scripted("a", []), { supportsOutput });
  const yes = saying(() => true);
  const later = saying(async () => true);
  expect(fallback([yes, yes]).supportsOutput?.(output)).toBe(true);
  expect(fallback([yes, later]).supportsOutput?.(output)).toBe(false);
  expect(fallback([yes, scripted("c", [])]).supportsOutput?.(output)).toBe(false);
});

test("stopping the answer stops the model that gives it", async () => {
  let isStopped = false;
  const endless: Model = {
    ...names,
    async *stream() {
      try {
        for (;;) yield { type: "text-delta", text: "on and on" };
      } finally {
        isStopped = true;
      }
    },
  };
  for await (const event of fallback([scripted("a", [{ error: tooMany() }]), endless]).stream(ask()))
    if (event.type === "text-delta") break;
  expect(isStopped).toBe(true);
});

test("anything but a list of models, and invalid options, are errors", () => {
  expect(() => fallback([])).toThrow("requires a list of at least one model");
  expect(() => fallback(JSON.parse('"openai:gpt-5.2"'))).toThrow("requires a list of at least one model");
  expect(() => fallback([scripted("a", [])], { cooldown: Number.NaN })).toThrow(
    "cooldown must be a number of at least 0, not NaN",
  );
  expect(() => fallback([scripted("a", [])], JSON.parse('{"cooldow":1}'))).toThrow('Did you mean "cooldown"');
});

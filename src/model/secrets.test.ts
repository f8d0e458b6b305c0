import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { copyError, redactor, withoutSecrets } from "./secrets.ts";

const key = "a+key/for=tests";
const redact = redactor({ authorization: `Bearer ${key}` });
const show = (value: unknown): string => inspect(value, { depth: 20, showHidden: true });

test("a key is masked URL-encoded too, in either case of its escapes", () => {
  expect(redact("?key=a%2Bkey%2Ffor%3Dtests&key=a%2bkey%2ffor%3dtests")).toBe(
    "?key=[redacted]&key=[redacted]",
  );
  expect(() => redactor({ "api-key": "half a pair: \ud800" })).not.toThrow();
});

test("a key of four characters is masked; shorter ones are left, since they stand in words", () => {
  expect(redactor({ "api-key": "p4ss" })("It is p4ss.")).toBe("It is [redacted].");
  expect(redactor({ "api-key": "key" })("The key is not a key.")).toBe("The key is not a key.");
});

describe("pieces of a key without a known form", () => {
  const azure = "f3a9c1d27b8e4455a0b1c2d3e4f50617";
  const clean = redactor({
    "api-key": azure,
    authorization: `Bearer ${azure}`,
    "x-token": "correct-horse-battery",
  });

  test.each([
    ["all but the last character", azure.slice(0, -1)],
    ["all but the first", azure.slice(1)],
    ["half", azure.slice(0, 16)],
    ["eight characters", azure.slice(11, 19)],
    ["after Bearer", `Bearer ${azure.slice(0, 20)}`],
    ["within another word", `x${azure.slice(3, 20)}y`],
    ["in base64, cut", btoa(`user:${azure}`).slice(10, -6)],
    ["words", "horse-battery"],
  ])("are masked: %s", (_title, piece) => {
    expect(clean(`before ${piece} after`)).toMatch(/^before (?:Bearer |x)?\[redacted\]y? after$/);
  });

  test("are masked apart, and as often as they come", () => {
    const text = `a ${azure.slice(0, 16)} b ${azure.slice(16)} c ${azure.slice(4, 14)}${azure.slice(0, 8)}`;
    expect(clean(text)).toBe("a [redacted] b [redacted] c [redacted]");
  });

  test("leave texts that share no more than words with it", () => {
    const text = "The format is correct; f3a9c1d is a commit. Deployment gpt-4o-mini not found.";
    const path = "https://x.test/openai/deployments/gpt-4o-mini-2024-deployment/chat";
    expect(redactor({ "api-key": azure, "x-token": "correct-horse" }, path)(text)).toBe(text);
  });

  test("take time that is linear in the text", () => {
    const text = azure.slice(0, 7).repeat(100_000);
    const start = performance.now();
    expect(clean(text)).toBe(text);
    expect(performance.now() - start).toBeLessThan(40_000);
  });
});

test("each value of a cookie header is masked by itself", () => {
  const clean = redactor({ Cookie: "sid=supersecret12345; theme=a=b&c" });
  expect(clean("bad session supersecret12345 of a%3Db%26c")).toBe("bad session [redacted] of [redacted]");
});

describe("a copy of an error", () => {
  test("has its name, words, stack, codes and causes, and no other field", () => {
    const cause = Object.assign(new TypeError(`refused ${key}`), { code: "E_AUTH", url: `?key=${key}` });
    const error = Object.assign(new Error("failed", { cause }), {
      errno: -111,
      syscall: "connect",
      status: 401,
      config: { headers: { authorization: `Bearer ${key}` } },
    });
    const copy = copyError(error, redact);
    expect(copy).toMatchObject({ message: "failed", errno: -111, syscall: "connect", status: 401 });
    expect(copy).toMatchObject({
      cause: { name: "TypeError", message: "refused [redacted]", code: "E_AUTH" },
    });
    expect(copy).toHaveProperty("stack", error.stack);
    expect(show(copy)).not.toContain(key);
    expect(show(copy)).not.toMatch(/config|url/);
  });

  test("copies what an AggregateError holds, and what is not an error", () => {
    const copy = copyError(
      new AggregateError([Object.assign(new Error("one"), { key }), { message: key, key }], "all"),
      redact,
    );
    expect(copy).toMatchObject({ errors: [{ message: "one" }, { message: "[redacted]" }] });
    expect(show(copy)).not.toContain(key);
    expect(show(copyError({ config: { key } }, redact))).not.toContain(key);
    expect(copyError(`refused ${key}`, redact)).toBe("refused [redacted]");
  });

  test("is bounded, though causes and aggregated errors contain each other", () => {
    const error = new AggregateError([], "many");
    error.cause = error;
    error.errors.push(...Array.from({ length: 1000 }, () => error));
    expect(show(copyError(error, redact)).length).toBeLessThan(1_000_000);
  });

  test("never throws, though reading the error does", () => {
    const error = Object.defineProperty(new Error("failed"), "cause", {
      get: () => {
        throw new Error(key);
      },
    });
    expect(copyError(error, redact)).toMatchObject({ message: "something that cannot be shown" });
    expect(withoutSecrets(error)).toMatchObject({ message: "something that cannot be shown" });
  });
});

describe("an error without secrets", () => {
  test("is the error itself, with all of its fields", () => {
    const error = Object.assign(new Error("failed"), { order: { id: 7 } });
    expect(withoutSecrets(error)).toBe(error);
  });

  test.each([
    ["a field", Object.assign(new Error("failed"), { headers: { authorization: "Bearer abcdef123" } })],
    [
      "a field of its cause",
      new Error("failed", { cause: Object.assign(new Error("x"), { k: "sk-abc123def" }) }),
    ],
    ["an aggregated error", new AggregateError([new Error("sk-abc123def")], "failed")],
    ["a field of what is not an error", { message: "failed", k: "sk-abc123def" }],
  ])("is a copy where %s has a key", (_, error) => {
    const copy = withoutSecrets(error);
    expect(copy).toHaveProperty("message", "failed");
    expect(show(copy)).not.toMatch(/abcdef123|abc123def/);
  });
});

test("an error with more than 32 errors in it is copied, and one with fewer is itself", () => {
  const nested = (count: number): Error =>
    count === 1 ? new Error("first") : new Error("next", { cause: nested(count - 1) });
  const few = nested(32);
  expect(withoutSecrets(few)).toBe(few);
  const many = nested(33);
  expect(withoutSecrets(many)).not.toBe(many);
  expect(withoutSecrets(many)).toMatchObject({ message: "next" });
});

test.each(["Bearer", "ApiKey", "DeepL-Auth-Key", "SSWS", "Key", "Token"])(
  "a key behind the scheme %s is masked without it",
  (scheme) => {
    const secret = "T0kenQ12345zz98765";
    expect(redactor({ authorization: `${scheme} ${secret}` })(`You came with ${secret}.`)).toBe(
      "You came with [redacted].",
    );
  },
);

test("two short words of a header that is named like a secret are not one each", () => {
  expect(redactor({ "x-session-mode": "keep alive" })("It is alive.")).toBe("It is alive.");
});

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

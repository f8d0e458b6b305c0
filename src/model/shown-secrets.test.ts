import { describe, expect, test } from "vitest";
import { NetworkError } from "../errors.ts";
import {
  copyError,
  credentialsIn,
  excerptOf,
  formsOf,
  redactor,
  secretsIn,
  segmentsLikeKeys,
  shownAddress,
  withoutSecrets,
} from "./secrets.ts";

test.each([
  ["Bearer abc", ["abc"]],
  ["TOKEN  abc", ["abc"]],
  ["Digest a b\nc", ["a b\nc"]],
  [`Basic ${btoa("ada:pass:word")}`, [btoa("ada:pass:word"), "ada:pass:word", "pass:word"]],
  [`basic ${btoa("key")}`, [btoa("key"), "key", "key"]],
  ["Basic not base64!", ["not base64!"]],
  ["abc", []],
  ["Bearer ", []],
  ["My Bearer abc", []],
  ["Bearerabc", []],
])("of the header %j, %j are secrets", (value, secrets) => {
  expect(credentialsIn(value)).toEqual(secrets);
});

test("the headers that are named like secrets are secrets, with what is within them", () => {
  const headers = {
    Authorization: "Bearer one",
    "set-cookie": "sid=two; theme = three;four",
    "x-api-key": "five",
    accept: "six",
  };
  expect(secretsIn(headers)).toEqual([
    "Bearer one",
    "one",
    "sid=two; theme = three;four",
    "two",
    "three",
    "four",
    "five",
  ]);
});

test("a secret is looked for in the forms that addresses, forms, JSON, pages and base64 give it", () => {
  const forms = formsOf('k"/<& é>');
  for (const form of [
    'k"/<& é>',
    "k%22%2F%3C%26%20%C3%A9%3E",
    "k%22%2F%3C%26+%C3%A9%3E",
    "k%22%2f%3c%26+%c3%a9%3e",
    'k\\"/<& é>',
    'k\\"\\/<& é>',
    'k\\\\\\"/<& é>',
    "k&quot;/&lt;&amp; é>",
  ])
    expect(forms).toContain(form);
  expect(formsOf("it's (1)*!~")).toContain("it%27s+%281%29*%21%7E");
});

test("base64 of a text has one of the forms of a secret, wherever the secret is in it", () => {
  const secret = "pässword>>>???1";
  const bytes = (text: string): string => String.fromCharCode(...new TextEncoder().encode(text));
  for (const before of ["", "a", "ab", "abc"]) {
    const base64 = btoa(bytes(`${before}${secret}c`));
    const forms = formsOf(secret).filter((form) => base64.includes(form));
    expect(forms, base64).toHaveLength(1);
    expect(forms[0]?.length).toBeGreaterThanOrEqual(20);
    const url = base64.replaceAll("+", "-").replaceAll("/", "_");
    expect(formsOf(secret).some((form) => form.length >= 20 && url.includes(form))).toBe(true);
  }
});

describe("an address", () => {
  const account = "0a1b2c3d4e5f";
  const long = "abcdefghijklmnopqrstuvwxyz-_abcd";

  test("is shown without its query, and without what looks like a key in its path", () => {
    expect(shownAddress(`https://ada@acme.test:8/v1/${account}/chat?key=k#x`)).toBe(
      "https://acme.test:8/v1/[redacted]/chat",
    );
    expect(shownAddress("https://acme.test")).toBe("https://acme.test/");
  });

  test.each([account, `${account}+~%41`, long, `${long}X`])("may have the key %j in its path", (segment) => {
    expect(segmentsLikeKeys(`https://acme.test/v1/${segment}/chat`)).toEqual([segment]);
  });

  test.each([
    "gpt-4o",
    "0a1b2c3d4e5",
    "chat-completions",
    "gpt-4.1-mini-2025",
    "gemini-2-x:stream",
    long.slice(1),
  ])("has no key in its path where %j is", (segment) => {
    expect(segmentsLikeKeys(`https://acme.test/v1/${segment}`)).toEqual([]);
  });

  test("that is none has no keys", () => {
    expect(segmentsLikeKeys(undefined)).toEqual([]);
    expect(segmentsLikeKeys(account)).toEqual([]);
  });
});

describe("what is masked", () => {
  test("is a key in the address, in pieces only if it is random all through", () => {
    const random = "0a1b2c3d4e5f6a7b8c9d";
    expect(redactor({}, `https://acme.test/${random}`)(`no ${random}, ${random.slice(3, 14)}`)).toBe(
      "no [redacted], [redacted]",
    );
    const name = "deployment-2024-gpt4omini";
    expect(redactor({}, `https://acme.test/${name}`)(`no ${name}, gpt4omini`)).toBe(
      "no [redacted], gpt4omini",
    );
    const short = random.slice(0, 19);
    expect(redactor({}, `https://acme.test/${short}`)(`no ${short}, ${random.slice(3, 14)}`)).toBe(
      `no [redacted], ${random.slice(3, 14)}`,
    );
  });

  test("is a secret of four characters whole, and one of twelve in pieces", () => {
    const redact = redactor({ "x-key": "0a1b2c3d4e5", "y-key": "9z8y7x6w5v4u", "z-key": "q1w2" });
    expect(redact("0a1b2c3d4e5 0a1b2c3d 9z8y7x6w q1w2 q1w")).toBe(
      "[redacted] 0a1b2c3d [redacted] [redacted] q1w",
    );
  });

  test("is the longer of two secrets where one is within the other", () => {
    expect(redactor({ "a-key": "q1w2", "b-key": "q1w2e3r4" })("q1w2e3r4!")).toBe("[redacted]!");
  });

  test("is the secret within a header, not the words around it", () => {
    const redact = redactor({ authorization: "Bearer 0a1b2c3d4e5f", other: "0z1y2x3w4v5u" });
    expect(redact("Bearer: 0a1b2c3d is not in 0z1y2x3w4v5u")).toBe(
      "Bearer: [redacted] is not in 0z1y2x3w4v5u",
    );
  });
});

describe("an excerpt", () => {
  const key = "0a1b2c3d4e5f";
  const redact = redactor({ "x-key": key });

  test("is the whole text where that is short enough, else its beginning", () => {
    expect(excerptOf("abc", 3, redact)).toBe("abc");
    expect(excerptOf("abcd", 3, redact)).toBe("abc…");
  });

  test("is taken of the text without its secrets, whose ends may lie beyond it", () => {
    expect(excerptOf(`${"x".repeat(6)}${key}`, 16, redact)).toBe(`xxxxxx[redacted]`);
    expect(excerptOf(`${"x".repeat(6)}${key} and so on`, 10, redact)).toBe(`xxxxxx[red…`);
    const text = `${"x".repeat(10)}${key.slice(0, 7)}`;
    expect(excerptOf(text.padEnd(10_000, "-"), 20, redact)).toBe(`${"x".repeat(10)}0a1b2c3---…`);
  });

  test("costs no more than 4,096 characters beyond it", () => {
    const looked: number[] = [];
    const count = (text: string): string => text.slice(0, looked.push(text.length) && text.length);
    expect(excerptOf("x".repeat(10_000), 3, count)).toBe("xxx…");
    expect(looked).toEqual([4099]);
  });

  test("is the whole text where that is short enough without its secrets", () => {
    const long = "0a1b2c3d4e5f6071829304a5b6c7d8e9f0112233";
    const text = `${long} `.repeat(200);
    expect(excerptOf(text, text.length - 4096, redactor({ "x-key": long }))).toBe("[redacted] ".repeat(200));
  });

  test("has no half of a secret that is cut where the text was", () => {
    const keys = `${key} `.repeat(2000);
    const seen = excerptOf(keys, 3000, redact);
    expect(seen).not.toMatch(/0a1b|4e5f/);
    expect(seen.length).toBeLessThanOrEqual(3001);
  });
});

describe("an error is copied where it could show more than is seen", () => {
  class Own extends Error {
    get request(): string {
      return "anything";
    }
  }
  class Written extends Error {
    toJSON(): string {
      return "anything";
    }
  }
  class Base extends Written {}
  const withAccessor = Object.defineProperty(new Error("failed"), "request", { get: () => "anything" });
  const withSymbol = Object.assign(new Error("failed"), { [Symbol("request")]: "anything" });

  test.each<[string, unknown]>([
    ["an accessor of its own", withAccessor],
    ["a symbol", withSymbol],
    ["an accessor of its class", new Own("failed")],
    ["a way of its own to be written as JSON", new Written("failed")],
    ["one that it inherits", new Base("failed")],
    ["a field that is an instance of a class", Object.assign(new Error("failed"), { at: new Date(0) })],
    ["a field that is a function", Object.assign(new Error("failed"), { send: () => "anything" })],
    ["a list with a field of its own kind", Object.assign(new Error("failed"), { list: [new Map()] })],
    ["a cause like that", new Error("failed", { cause: withAccessor })],
    [
      "an object like that",
      Object.assign(new Error("failed"), {
        at: {
          get x() {
            return 1;
          },
        },
      }),
    ],
    [
      "more than a thousand values",
      Object.assign(new Error("failed"), { all: Array.from({ length: 999 }, () => ({})) }),
    ],
    ["a field named like a secret", Object.assign(new Error("failed"), { password: "word" })],
  ])("it has %s", (_, error) => {
    const copy = withoutSecrets(error);
    expect(copy).not.toBe(error);
    expect(copy).toMatchObject({ message: "failed" });
  });

  class Plain extends Error {
    readonly why = "said";
  }

  test.each<[string, unknown]>([
    ["a text", "failed"],
    ["nothing", undefined],
    ["a number", 7],
    ["data", { list: [1, [2], { a: null }] }],
    ["an instance of a class of errors", new Plain("failed")],
    ["one with data", Object.assign(new Error("failed"), { data: { list: [{ a: 1 }], none: null } })],
    [
      "a thousand values",
      Object.assign(new Error("failed"), { all: Array.from({ length: 998 }, () => ({})) }),
    ],
    ["a field named like a secret that is not a text", Object.assign(new Error("failed"), { token: 7 })],
  ])("not where it is %s", (_, error) => {
    expect(withoutSecrets(error)).toBe(error);
  });

  test("not where its fields lead in a circle", () => {
    const error = Object.assign(new Error("failed"), { all: [{}] });
    Object.assign(error.all[0] ?? {}, { error });
    expect(withoutSecrets(error)).toBe(error);
  });

  test("of Skein's own errors only the cause is looked at", () => {
    const where = { provider: "p", modelId: "m" };
    const own = Object.assign(new NetworkError("failed", where), { state: { token: "word" } });
    expect(withoutSecrets(own)).toBe(own);
    const caused = new NetworkError("failed", {
      ...where,
      cause: Object.assign(new Error("x"), { token: "word" }),
    });
    expect(withoutSecrets(caused)).not.toBe(caused);
  });

  test("a text that looks like a key is masked", () => {
    expect(withoutSecrets("no sk-abc123def here")).toBe("no [redacted] here");
  });
});

describe("a copy", () => {
  const redact = (text: string): string => text.replaceAll("hunter2", "***");

  test("has texts and numbers in the fields that are shown, and no values of other kinds", () => {
    const copy = copyError(
      { name: "Odd", message: "x", code: { a: 1 }, errno: true, status: 7, cause: false },
      redact,
    );
    expect(copy).toMatchObject({ name: "Odd", message: "x", status: 7 });
    for (const name of ["code", "errno", "cause", "syscall"]) expect(copy).not.toHaveProperty(name);
  });

  test("has causes of any kind, and lists of at most 32 errors", () => {
    expect(copyError({ cause: "hunter2" }, redact)).toMatchObject({ cause: "***" });
    expect(copyError({ cause: 7 }, redact)).toMatchObject({ cause: 7 });
    expect(copyError({ cause: {} }, redact)).toMatchObject({
      cause: { message: "something that is not an error" },
    });
    const many = copyError({ errors: Array.from({ length: 40 }, (_, index) => index) }, redact);
    expect(many).toMatchObject({ errors: Array.from({ length: 32 }, (_, index) => index) });
  });

  test("of what is not an object is that itself", () => {
    for (const value of [7, null, undefined, true]) expect(copyError(value, redact)).toBe(value);
  });

  test("holds 32 errors in all", () => {
    const nested = (count: number): Error =>
      count === 1 ? new Error("last") : new Error("next", { cause: nested(count - 1) });
    const depthOf = (error: unknown): number => (error instanceof Error ? 1 + depthOf(error.cause) : 0);
    expect(depthOf(copyError(nested(31), redact))).toBe(31);
    expect(depthOf(copyError(nested(40), redact))).toBe(32);
  });
});

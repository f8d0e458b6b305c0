import { expect, test } from "vitest";
import { ConfigurationError } from "skein";
import { describeBug } from "./describe-bug.ts";

/** A TypeError whose stack is `message` and these frames. */
function bug(frames: readonly string[], message = "x is not a function"): TypeError {
  return Object.assign(new TypeError(message), {
    stack: [`TypeError: ${message}`, ...frames.map((frame) => `    at ${frame}`)].join("\n"),
  });
}

test.each([
  ["V8's", "run (/home/ann/shop/src/pay.ts:12:3)", "src/pay.ts:12"],
  [
    "V8's, of an async function",
    "async Promise.all (index 0)\n    at file:///srv/app/pay.mjs:7:1",
    "app/pay.mjs:7",
  ],
  ["one of Windows", "run (C:\\Users\\ann\\src\\pay.js:12:3)", "src/pay.js:12"],
  ["one with a query", "run (http://localhost:3000/src/pay.tsx?t=17:12:3)", "src/pay.tsx:12"],
  ["one without a column", "pay.cjs:9", "pay.cjs:9"],
  [
    "the first of a file",
    "native\n    at node:internal/timers:581:17\n    at a (/x/one.ts:1:1)\n    at b (/x/two.ts:2:2)",
    "x/one.ts:1",
  ],
])("the place is the file and line of a frame: %s", (_, frame, place) => {
  expect(describeBug("pay", bug([frame]))).toBe(`pay threw TypeError at ${place}: x is not a function.`);
});

test.each(["", "x is not a function, and this is longer than the first frame"])(
  'a stack that begins with its frames is read from there, with the message "%s"',
  (message) => {
    const error = Object.assign(new TypeError(message), { stack: "pay@http://localhost/src/pay.js:4:2" });
    expect(describeBug("pay", error)).toMatch(/^pay threw TypeError at src\/pay\.js:4: /);
  },
);

test("what looks like a frame in the message is none", () => {
  const message = "failed at /tmp/data.js:1:1\n    at /tmp/other.js:2:2";
  expect(describeBug("pay", bug(["run (/x/src/pay.ts:3:3)"], message))).toContain(
    "threw TypeError at src/pay.ts:3: ",
  );
});

test("the package's own frames are passed over", () => {
  const [own] = /[^\s(]*[/\\](?=executor[/\\]describe-bug\.test)/.exec(new Error("where").stack ?? "") ?? [];
  const frames = [`check (${own}tool/check.ts:1:1)`, "run (/x/src/pay.ts:3:3)"];
  expect(describeBug("pay", bug(frames))).toContain("threw TypeError at src/pay.ts:3: ");
  const calling = [`check (${own}tool/check.ts:1:1)`, `performTool (${own}executor/perform-tool.ts:1:1)`];
  expect(describeBug("pay", bug([...calling, "run (/x/src/pay.ts:3:3)"]))).toBe(
    "pay threw TypeError: x is not a function.",
  );
});

test("an error without a stack is described without a place", () => {
  const bare = (stack: unknown) => describeBug("pay", Object.assign(new RangeError("too far."), { stack }));
  expect(bare(undefined)).toBe("pay threw RangeError: too far.");
  expect(bare("RangeError: too far.\n    at <anonymous>")).toBe("pay threw RangeError: too far.");
});

test("a message that ends a sentence gets no other end", () => {
  for (const message of ["Is it?", "No!", "No."])
    expect(describeBug("pay", bug([], message))).toBe(`pay threw TypeError: ${message}`);
});

test("an invalid option is the mistake of who calls, and no other mistake of a configuration is", () => {
  const mistake = (code: string) => new ConfigurationError("There is no option colour", { code });
  expect(describeBug("pay", mistake("invalid-option"))).toBe(
    "pay threw ConfigurationError: There is no option colour.",
  );
  expect(describeBug("pay", mistake("invalid-tool"))).toBeUndefined();
});

test("errors of other kinds, with a code or with a cause, are none", () => {
  const none = [
    new Error("no such user"),
    new SyntaxError("not JSON"),
    { name: "TypeError", message: "looks like one" },
    Object.assign(new TypeError("Invalid URL"), { code: "ERR_INVALID_URL" }),
    new TypeError("fetch failed", { cause: new Error("refused") }),
  ];
  for (const error of none) expect(describeBug("pay", error)).toBeUndefined();
});

test("an error whose properties throw says nothing", () => {
  const error = Object.defineProperty(new TypeError("x"), "name", {
    get: () => {
      throw new Error("never");
    },
  });
  expect(describeBug("pay", error)).toBeUndefined();
});

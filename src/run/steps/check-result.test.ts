import { expect, test } from "vitest";
import { problemOfResult } from "./check-result.ts";

const result = {
  toolCallId: "1",
  toolName: "pay",
  content: [{ type: "text", text: "ok" }],
  isError: false,
  outcome: "success",
};

test("a result with an outcome that fits its isError is none", () => {
  expect(problemOfResult(result)).toBeUndefined();
  for (const outcome of ["error", "denied", "timeout", "cancelled", "not-executed", "unknown-tool"])
    expect(problemOfResult({ ...result, isError: true, outcome })).toBeUndefined();
});

test.each([
  ["nothing", undefined, "must return a tool result"],
  ["a text", "ok", "must return a tool result"],
  ["content that is a text", { ...result, content: "ok" }, "must return a tool result"],
  ["a part without its text", { ...result, content: [{ type: "text" }] }, "but its content[0] is not one"],
  [
    "a part with a field of another type",
    { ...result, content: [...result.content, { type: "file", url: "https://acme.test/a", mediaType: 5 }] },
    "but its content[1] is not one",
  ],
  ["a bigint", { ...result, structuredContent: 1n }, "that is plain JSON"],
  ["an unknown outcome", { ...result, outcome: "fine" }, "must return an outcome of success, error,"],
  ["no outcome", { ...result, outcome: undefined }, 'not "undefined"'],
  ["an error that succeeded", { ...result, isError: true }, 'isError: false with the outcome "success"'],
  ["a denial without isError", { ...result, outcome: "denied" }, 'isError: true with the outcome "denied"'],
  ["no isError", { ...result, isError: undefined }, 'isError: false with the outcome "success"'],
])("%s is a problem", (_, value, problem) => {
  expect(problemOfResult(value)).toContain(problem);
});

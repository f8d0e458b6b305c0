import { expect, test } from "vitest";
import { result } from "../tool/result.ts";
import { finalize } from "./finalize.ts";

const call = { toolCallId: "c1", toolName: "weather", arguments: "{}" };

test("what is for the page that shows a call is passed on as plain JSON", () => {
  const { result: made, meta } = finalize(
    call,
    result({ content: "18", meta: { at: new Date(0), icon: "sun" } }),
    () => {},
  );
  expect(meta).toEqual({ at: "1970-01-01T00:00:00.000Z", icon: "sun" });
  expect(JSON.stringify(made)).not.toContain("sun");
});

test.each([
  ["too long", { text: "x".repeat(1_048_577) }],
  ["a promise", { later: Promise.resolve(1) }],
  [
    "a getter that throws",
    {
      get bad(): never {
        throw new Error("no");
      },
    },
  ],
  ["a list", JSON.parse("[1]")],
])("%s is a warning, and the result stands without a word to the model", (_, meta) => {
  const warnings: string[] = [];
  const settled = finalize(call, result({ content: "18", meta }), (message) => void warnings.push(message));
  expect(settled.meta).toBeUndefined();
  expect(settled.result.content).toEqual([{ type: "text", text: "18" }]);
  expect(warnings).toEqual([
    "weather returned result({ meta }) that was not passed on. Return a plain object of at most 1,048,576 characters of JSON.",
  ]);
});

import { expect, test } from "vitest";
import type { ToolOutcome } from "./messages.ts";
import { successesIn } from "./successes.ts";

test("a success is that of a result, or of a message that sums results up", () => {
  const of = (outcome: ToolOutcome) =>
    successesIn({
      role: "tool",
      result: { toolCallId: "1", toolName: "pay", content: [], isError: outcome !== "success", outcome },
    });
  expect([of("success"), of("error")]).toEqual([["pay"], []]);
  expect(successesIn({ role: "user", content: "Earlier ...", succeeded: ["a", "b"] })).toEqual(["a", "b"]);
  expect(successesIn({ role: "user", content: "Hello" })).toEqual([]);
});

import { expect, test } from "vitest";
import { toolCallProblem } from "./tool-call-problem.ts";

const call = { toolCallId: "c", toolName: "f", arguments: "{}" };

test.each([
  ["null", null, "is null, not a tool call."],
  ["a text", "f", "is a string, not a tool call."],
  ["no id", { ...call, toolCallId: undefined }, "is a tool call whose toolCallId is not a text."],
  ["no name", { ...call, toolName: 5 }, "is a tool call whose toolName is not a text."],
  ["arguments as an object", { ...call, arguments: {} }, "is a tool call whose arguments is not a text."],
])("a call with %s is a problem that says what is expected", (_, value, problem) => {
  expect(toolCallProblem(value)).toMatch(problem);
  expect(toolCallProblem(value)).toMatch(/ Expected \{ toolCallId: "call_1", /);
});

test("a call with its three texts is none", () => {
  expect(toolCallProblem(call)).toBeUndefined();
});

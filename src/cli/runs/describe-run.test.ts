import { expect, test } from "vitest";
import { describeCall, describeRunWait } from "./describe-run.ts";

const within = { toolCallId: "call-1/x", arguments: "{}", parentToolCallId: "call-1" };

test.each([
  [
    { ...within, toolName: "context.sleep", input: { until: 0 } },
    'call-1 sleeps until 1970-01-01T00:00:00.000Z  for a result of "call-1/x"',
  ],
  [
    { ...within, toolName: "context.waitFor", input: { token: "payment 7" } },
    'call-1  for a result of "payment 7"',
  ],
  [{ ...within, toolName: "scan", input: { pages: 3 } }, 'scan(pages: 3)  for a result of "call-1/x"'],
  [{ ...within, toolName: "scan", input: {}, approvalId: "75887051" }, "scan()  [75887051]"],
])("a call that waits is shown with what it waits for: %o", (call, text) => {
  expect(describeCall(call)).toBe(text);
});

test("a run that waits for another one says which, and which call does", () => {
  expect(describeRunWait({ id: "r/1", toolCallId: "call-1" })).toBe('call-1 waits for the run "r/1"');
});

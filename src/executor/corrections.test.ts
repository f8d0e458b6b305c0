import { expect, test } from "vitest";
import type { Message } from "../message/messages.ts";
import { correctName } from "./corrections.ts";

const call = { toolCallId: "c", toolName: "nope", arguments: "{}" };
const mistake: readonly Message[] = [
  { role: "assistant", content: [], toolCalls: [call] },
  {
    role: "tool",
    result: { toolCallId: "c", toolName: "nope", content: [], isError: true, outcome: "unknown-tool" },
  },
];
const answers = (count: number): readonly Message[] =>
  Array.from({ length: count }, () => ({ role: "assistant", content: [], toolCalls: [] }));

test("a mistake is one that was made before as long as its call is among the latest hundred messages", () => {
  expect(correctName(call, [], [...mistake, ...answers(98)])).toContain("You made this mistake before.");
  expect(correctName(call, [], [...mistake, ...answers(99)])).not.toContain("before");
});

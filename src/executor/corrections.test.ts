import { describe, expect, test } from "vitest";
import type { Message, ToolCall } from "../message/messages.ts";
import type { Issue } from "../schema/types.ts";
import { tool } from "skein";
import { correctArguments, correctName } from "./corrections.ts";

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
  const corrected = (messages: readonly Message[]): string =>
    correctName(call, { toolTable: { names: [] }, messages, memory: new Map() });
  expect(corrected([...mistake, ...answers(98)])).toContain("You made this mistake before.");
  expect(corrected([...mistake, ...answers(99)])).not.toContain("before");
});

test("names of tools are compared 20,000 times for an answer, and for the next one again", () => {
  const toolTable = { names: Array.from({ length: 8_000 }, (_, index) => `tool_${index}`) };
  const memory = new Map();
  const wrong = { ...call, toolName: "tool_1x" };
  const corrected = (messages: readonly Message[]): string =>
    correctName(wrong, { toolTable, messages, memory });
  const answer = answers(1);
  const hints = [answer, answer, answer, answers(1)].map((each) => corrected(each).includes("Did you mean"));
  expect(hints).toEqual([true, true, false, true]);
});

describe("what was wrong before", () => {
  const any: readonly Issue[] = [{ path: ["n"], message: "must be a number", expected: "a number" }];
  const work = tool({
    name: "work",
    input: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    execute: () => "",
  });
  const wrong = (index: number, value: string): ToolCall => ({
    toolCallId: `c${index}`,
    toolName: "work",
    arguments: JSON.stringify({ n: value }),
  });
  /** An answer with these calls, all of which were wrong. */
  const answer = (...toolCalls: readonly ToolCall[]): readonly Message[] => [
    { role: "assistant", content: [], toolCalls },
    ...toolCalls.map(({ toolCallId, toolName }): Message => ({
      role: "tool",
      result: { toolCallId, toolName, content: [], isError: true, outcome: "invalid-arguments" },
    })),
  ];
  const corrected = (messages: readonly Message[]): Promise<string> =>
    correctArguments(wrong(99, "now"), work, any, messages);

  test("is listed of the latest three calls", async () => {
    const one = answer(...["a", "b", "c", "d"].map((value, index) => wrong(index, value)));
    const text = await corrected(one);
    expect(["a", "b", "c", "d"].map((value) => text.includes(`string: "${value}"`))).toEqual([
      true,
      true,
      true,
      false,
    ]);
    const newest = ["a", "b", "c", "d"].flatMap((value, index) => answer(wrong(index, value)));
    expect(await corrected(newest)).not.toContain('string: "a"');
    expect(await corrected(newest)).toContain('string: "b"');
  });

  test("is not looked for in arguments of more than 20,000 characters", async () => {
    const ofLength = (length: number): string => "x".repeat(length - '{"n":""}'.length);
    expect(await corrected(answer(wrong(0, ofLength(20_000))))).toContain("You made this mistake before.");
    expect(await corrected(answer(wrong(0, ofLength(20_001))))).not.toContain("before");
  });

  test("ends at a message of the user, and at a call that was right", async () => {
    const mistake = answer(wrong(0, "a"));
    expect(await corrected(mistake)).toContain("before");
    expect(await corrected([...mistake, { role: "user", content: "Again." }])).not.toContain("before");
    const right: readonly Message[] = answer(wrong(1, "b")).map((message) =>
      message.role === "tool"
        ? { ...message, result: { ...message.result, isError: false, outcome: "success" } }
        : message,
    );
    expect(await corrected([...mistake, ...right])).not.toContain("before");
  });
});

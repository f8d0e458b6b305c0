import { describe, expect, test } from "vitest";
import type { CheckedTool } from "../check/types.ts";
import { type Asking, decideAll } from "./chat/decide.ts";
import type { ApprovalRequested } from "./chat/request-text.ts";
import { formatMessage } from "./excerpt.ts";
import { listTools } from "./print-tools.ts";
import { formatArguments, printableJson, quoteName, type Screen, styledOnly } from "./text.ts";

const escapes = [
  "\u001B[2J",
  "\u001B]0;title\u0007",
  "\u009B31m",
  "\u001B[8m",
  "\r",
  "\u202E",
  "\u200B",
  "\u2028",
  "\uFEFF",
  "\u{E0045}",
  "\u0007",
  "\u001B[1;1H",
];
const place = { file: "timer.ts", line: 1, column: 1, length: 1 };
const screen: Screen = {
  write: () => undefined,
  paint: (_style, text) => `\u001B[36m${text}\u001B[39m`,
  columns: 100,
};

describe.each(escapes)("the escape %j", (escape) => {
  test("does not reach a terminal from names, comments and messages", () => {
    const words = `a${escape}b`;
    const tool: CheckedTool = {
      name: words,
      description: words,
      inputSchema: { type: "object", properties: { [words]: { enum: [words], description: words } } },
      outputSchema: { const: words },
      source: { place: { ...place, file: words } },
    };
    expect(listTools([tool], screen)).not.toContain(escape);
    const message = formatMessage(
      { level: "error", place: { ...place, file: words }, rule: words, message: words, help: words },
      screen,
    );
    expect(message).not.toContain(escape);
    expect(styledOnly(words)).not.toContain(escape);
    expect(quoteName(words)).not.toContain(escape);
  });

  test("is escaped in JSON, which stays the same value", () => {
    const value = { [`a${escape}`]: [`b${escape}`] };
    expect(printableJson(value)).not.toContain(escape);
    expect(JSON.parse(printableJson(value))).toEqual(value);
  });
});

test("a message keeps its own colours", () => {
  const text = formatMessage({ level: "error", place, message: "wrong" }, screen);
  expect(text.split("\n")[0]).toBe("\u001B[36mtimer.ts:1:1\u001B[39m - \u001B[36merror\u001B[39m: wrong");
  expect(styledOnly(text)).toBe(text);
});

test("names that are not one word are quoted", () => {
  expect(quoteName("pay")).toBe("pay");
  expect(quoteName("look(at: 1)? (y) pay")).toBe('"look(at: 1)? (y) pay"');
  expect(formatArguments('{"a: 1, b":2}')).toBe('"a: 1, b": 2');
});

/** What a person is shown who answers so. */
async function decide(
  toolName: string,
  input: object,
  ...answers: string[]
): Promise<{ shown: string[]; decisions: unknown }> {
  const shown: string[] = [];
  const request: ApprovalRequested = {
    type: "approval-request",
    index: 0,
    agent: "A",
    approvalId: "1",
    toolCall: { toolCallId: "c", toolName, arguments: JSON.stringify(input) },
    input,
  };
  const asking: Asking = {
    questions: {
      ask: async (show) => {
        show();
        const text = answers.shift();
        return text === undefined ? undefined : { text, early: false };
      },
    },
    show: (question) => void shown.push(question),
    echo: () => undefined,
    isLeaving: () => false,
  };
  return { decisions: await decideAll([request], asking), shown };
}

test("what was not shown cannot be approved", async () => {
  const long = { note: "x".repeat(50_000), to: "mallory" };
  const { shown, decisions } = await decide("pay", long, "y", "more", "y");
  expect(shown[0]).toMatch(/^Approve pay\? \d+ characters of its arguments are still to be shown/);
  expect(shown.join("")).toContain('to: "mallory"');
  expect(shown.at(-1)).toBe("Approve pay? (y, or n, or why not)");
  expect(decisions).toEqual([{ approvalId: "1", decision: "approve" }]);
  expect((await decide("pay", long, "y")).decisions).toEqual([
    { approvalId: "1", decision: "deny", reason: "Nobody answered." },
  ]);
  expect((await decide("pay", long, "n")).decisions).toEqual([{ approvalId: "1", decision: "deny" }]);
});

test("the prompt quotes a name that could pass for an answer", async () => {
  const { shown } = await decide("read? (y)\n> y\nApprove pay", {}, "n");
  expect(shown).toEqual(['Approve "read? (y)\\n> y\\nApprove pay"? (y, or n, or why not)']);
});

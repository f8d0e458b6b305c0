import { expect, test } from "vitest";
import type { ToolResult } from "../../message/messages.ts";
import { invalidArgumentsMessage } from "../../schema/feedback.ts";
import type { JsonValue } from "../../base/util/json.ts";
import { wordAbilities, wordResults } from "./wording.ts";

function result(text: string, rest: Partial<ToolResult> = {}): ToolResult {
  const content = [{ type: "text" as const, text }];
  return { toolCallId: "1", toolName: "listItems", content, isError: false, outcome: "success", ...rest };
}

function wordJson(value: JsonValue): string {
  return wordResults([result(JSON.stringify(value), { structuredContent: value })]);
}

test("texts stay unchanged, one after the other", () => {
  expect(wordResults([result("18 degrees in Paris"), result("9 degrees in Oslo")])).toBe(
    "18 degrees in Paris\n9 degrees in Oslo",
  );
});

test("an error is marked as one", () => {
  expect(wordResults([result("there is no item 9", { isError: true, outcome: "error" })])).toBe(
    "That did not work: there is no item 9",
  );
});

test("of a correction, people see what is wrong, and nothing that is for models", () => {
  const issue = { path: ["size"], message: "expected a number, received a string", received: "x" };
  for (const earlier of [[], [issue]]) {
    const correction = invalidArgumentsMessage("listItems", [issue, issue], '{"size":"x"}', earlier);
    expect(wordResults([result(correction, { isError: true, outcome: "invalid-arguments" })])).toBe(
      [
        "That did not work: listItems was not called, because its arguments are invalid:",
        '- $.size: expected a number, received a string: "x"',
        '- $.size: expected a number, received a string: "x"',
      ].join("\n"),
    );
  }
});

test("JSON becomes plain lines", () => {
  expect(
    wordJson([
      { id: 1, name: "Scarf" },
      { id: 2, name: "Jacket", tags: ["warm", "dry"] },
    ]),
  ).toBe("- id 1, name Scarf\n- id 2, name Jacket, tags warm, dry");
  expect(wordJson({ unitPrice: 3, owner: { name: "Ann" }, items: [{ id: 1 }], note: null })).toBe(
    "Unit price: 3\nOwner: name Ann\nItems:\n- id 1\nNote: none",
  );
  expect(wordJson([])).toBe("There are none.");
  expect(wordJson({})).toBe("There is nothing.");
  expect(wordJson(5)).toBe("List items: 5");
  expect(wordJson(null)).toBe("List items: nothing.");
});

test("a text that is a JSON object is read as one, and any other text that starts like one stays unchanged", () => {
  expect(wordResults([result('{"id":1}')])).toBe("Id: 1");
  expect(wordResults([result("[sic] an answer")])).toBe("[sic] an answer");
  expect(wordResults([result("")])).toBe("Done: list items.");
});

test("a long list of tools is shortened", () => {
  const tools = Array.from({ length: 15 }, (_, index) => ({ name: `tool${index}`, inputSchema: {} }));
  const answerText = wordAbilities(tools, "Hello.");
  expect(answerText.split("\n")).toHaveLength(14);
  expect(answerText).toMatch(/\n- and 3 more$/);
  expect(wordAbilities([], "Hello.")).toBe("Hello. There is no tool here, and I know nothing else.");
});

import { describe, expect, test } from "vitest";
import { Agent, result } from "skein";
import {
  finalize,
  frozenResult,
  resultText,
  textResult,
  thrownResult,
  valueOf,
  valueText,
} from "./finalize.ts";
import { notePart } from "./notes.ts";
import type { SettledCall } from "./types.ts";

const call = { toolCallId: "c", toolName: "work", arguments: "{}" };

/** What comes of what a tool returned, and what its author is told. */
function finalized(returned: unknown): SettledCall & { readonly warnings: readonly string[] } {
  const warnings: string[] = [];
  return { ...finalize(call, returned, (message) => void warnings.push(message)), warnings };
}

const textOf = (returned: unknown): string => resultText(finalized(returned).result);

test("a value is its text, and what it is itself where that is more", () => {
  expect(finalized("words").result).toEqual({
    toolCallId: "c",
    toolName: "work",
    content: [{ type: "text", text: "words" }],
    isError: false,
    outcome: "success",
  });
  expect(finalized({ sum: 3 }).result).toMatchObject({
    content: [{ text: '{"sum":3}' }],
    structuredContent: { sum: 3 },
  });
});

test.each<[string, unknown, unknown, string]>([
  ["an object", { a: 1, b: () => 2 }, { a: 1 }, "$.b is a function, which is left out"],
  [
    "an instance",
    new (class {
      a = 1;
      b = (): number => 2;
    })(),
    { a: 1 },
    "$.b is a function, which is left out",
  ],
  ["a map", new Map([["b", () => 2]]), {}, "$.b is a function, which is left out"],
  ["a list", [() => 1], ["[function ]"], "$[0] is a function"],
])("a function in %s is noted", (_title, returned, structuredContent, note) => {
  expect(finalized(returned).result).toMatchObject({ outcome: "success", structuredContent });
  expect(textOf(returned)).toContain(`Note: ${note}.`);
});

test("functions alone are an error", () => {
  for (const returned of [() => 1, { a: () => 1, b: () => 2 }, { within: { a: () => 1 } }])
    expect(finalized(returned).result.outcome).toBe("error");
});

test("nothing is reported in words, and so is a failure without any", () => {
  expect(textOf(undefined)).toBe("work is done and returned nothing.");
  expect(textOf(result({ isError: true }))).toBe("work failed.");
});

test("a handoff is a success, or the failure of the tool that makes it", () => {
  const agent = new Agent({ name: "Other" });
  expect(finalized(agent)).toMatchObject({ agent, result: { outcome: "success" } });
  expect(textOf(agent)).toBe("Transferred to Other.");
  const failed = finalized(result({ agent, isError: true }));
  expect(failed).toMatchObject({ agent, result: { isError: true, outcome: "error" } });
  expect(resultText(failed.result)).toBe("work failed. Transferred to Other.");
  expect(textOf(result({ agent, value: "Ask them." }))).toBe("Ask them.");
  expect(textOf(result({ agent, content: "Ask them." }))).toBe("Ask them.");
});

test("content is what the model sees of a value", () => {
  const settled = finalized(result({ content: "three", value: { sum: 3 } }));
  expect(settled.result).toMatchObject({ content: [{ text: "three" }], structuredContent: { sum: 3 } });
  expect(finalized(result({ content: "three" })).result).not.toHaveProperty("structuredContent");
});

describe("what the tool wanted besides, and what cannot be", () => {
  const wrong = { agent: "Other", context: 7 } as object;

  test("is a warning each, and a note for the model", () => {
    const { result: toolResult, warnings, ...others } = finalized(result({ content: "done", ...wrong }));
    expect(warnings).toEqual([
      "work returned result({ agent }) with a text, so it did not hand off. Return the Agent itself.",
      expect.stringMatching(/^work returned result\(\{ context \}\) with .*7.*, which was not applied\./),
    ]);
    expect(toolResult.content).toEqual([
      { type: "text", text: "done" },
      notePart(expect.stringContaining("not applied")),
    ]);
    expect(others).toEqual({});
  });

  test("is not noted in a final result, which is for the user", () => {
    const {
      result: toolResult,
      final,
      warnings,
    } = finalized(result({ content: "done", final: true, ...wrong }));
    expect([toolResult.content, final]).toEqual([[{ type: "text", text: "done" }], true]);
    expect(warnings).toHaveLength(2);
  });

  test("is nothing where it is null", () => {
    const { warnings } = finalized(
      result({ content: "done", ...({ agent: null, context: null } as object) }),
    );
    expect(warnings).toEqual([]);
  });
});

describe("what JSON would empty", () => {
  test("is an error that names it, and a warning of what to return", () => {
    const { result: toolResult, warnings } = finalized(new WeakMap());
    expect(toolResult).toMatchObject({ outcome: "error" });
    expect(resultText(toolResult)).toMatch(
      /^work was called, but returned .*WeakMap.*, which cannot be shown\.$/,
    );
    expect(warnings).toEqual([expect.stringMatching(/ Return its data\.$/)]);
  });

  test("is named with its place, and a promise is to be awaited", () => {
    const { result: toolResult, warnings } = finalized({ rows: [Promise.resolve(1)] });
    expect(resultText(toolResult)).toContain("a Promise at $.rows[0], ");
    expect(warnings).toEqual([expect.stringMatching(/ Await it\.$/)]);
  });

  test("is one beside content as well", () => {
    expect(textOf(result({ content: "done", value: Promise.resolve(1) }))).toContain("returned a Promise,");
  });
});

test("of a long error 4,000 characters are shown", () => {
  const textOfThrown = (length: number) => resultText(thrownResult(call, new Error("x".repeat(length))));
  expect(textOfThrown(4_000)).toBe(`work failed: ${"x".repeat(4_000)}`);
  expect(textOfThrown(4_001)).toBe(`work failed: ${"x".repeat(4_000)}…`);
});

test("what throws while it is read is an error", () => {
  const thrower = {
    get value() {
      throw new Error("closed");
    },
  };
  expect(textOf(thrower)).toBe("work returned something that cannot be written as JSON: closed");
  expect(textOf(result({ value: thrower }))).toContain("cannot be written as JSON: closed");
});

test("the value of a result is what it is itself, else the whole of a text that was cut, else its text", () => {
  const toolResult = finalized("words").result;
  expect(valueOf({ ...toolResult, structuredContent: null })).toBeNull();
  expect(valueOf({ ...toolResult, truncated: { length: 9, text: "all words" } })).toBe("all words");
  expect(valueOf({ ...toolResult, content: [...toolResult.content, notePart("Note: no.")] })).toBe("words");
});

test("the text of a result is that of its parts, and its notes do not belong to the value", () => {
  const content = [
    { type: "text", text: "one" },
    { type: "image", url: "https://example.org/a.png" },
    notePart("two"),
  ] as const;
  expect(resultText({ content })).toBe("one\ntwo");
  expect(valueText({ content })).toBe("one");
});

test("a result is frozen all the way down, and what is frozen stays the same object", () => {
  const toolResult = textResult(call, "words", "success");
  expect([Object.isFrozen(toolResult.content[0]), frozenResult(toolResult) === toolResult]).toEqual([
    true,
    true,
  ]);
  const open = { ...toolResult, structuredContent: { rows: [1] } };
  const frozen = frozenResult(open);
  expect(frozen).toEqual(open);
  expect([frozen === open, Object.isFrozen(frozen.structuredContent)]).toEqual([false, true]);
});

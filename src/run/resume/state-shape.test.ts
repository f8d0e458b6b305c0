import { describe, expect, test } from "vitest";
import { assertState, problemOf, storedState, type Shape } from "./state-shape.ts";

describe("a value of another shape", () => {
  test.each<[Shape, unknown, string | undefined]>([
    ["string", "x", undefined],
    ["string", 7, " must be a text, not 7"],
    ["number", "x", " must be a number, not a text"],
    ["boolean", null, " must be true or false, not null"],
    [["number"], [1, 2], undefined],
    [["number"], {}, " must be a list, not an object"],
    [["number"], [1, "x"], "[1] must be a number, not a text"],
    [{}, { more: 1 }, undefined],
    [{}, [], " must be an object, not a list"],
    [{ a: "string" }, {}, ".a must be a text, not undefined"],
    [{ "a?": "string" }, {}, undefined],
    [{ "a?": "string" }, { a: undefined }, undefined],
    [{ "a?": "string" }, { a: 1 }, ".a must be a text, not 1"],
    [{ "a?": [{ b: "number" }] }, { a: [{ b: 1 }, { b: true }] }, ".a[1].b must be a number, not true"],
    [(value) => (value === 1 ? "number" : "string"), 1, undefined],
    [(value) => (value === 1 ? "number" : "string"), 2, " must be a text, not 2"],
  ])("%j: %j", (shape, value, problem) => {
    expect(problemOf(value, shape)).toBe(problem);
  });

  test("is one that is deeper than a thousand levels", () => {
    const shape: Shape = { "in?": () => shape };
    const nested = (levels: number): object => {
      let value = {};
      for (let level = 0; level < levels; level++) value = { in: value };
      return value;
    };
    expect(problemOf(nested(1_000), shape)).toBeUndefined();
    expect(problemOf(nested(1_001), shape)).toMatch(/^(?:\.in){1001} is too deep$/);
    const lists: Shape = [() => lists];
    let list: unknown[] = [];
    for (let level = 0; level < 1_001; level++) list = [list];
    expect(problemOf(list, lists)).toMatch(/^(?:\[0\]){1001} is too deep$/);
  });
});

describe("a state", () => {
  const state = { version: 1, agent: "A", messages: [], pending: [] };
  const call = { toolCallId: "c", toolName: "t", arguments: "{}" };
  const problemWith = (fields: object): unknown => {
    try {
      assertState({ ...state, ...fields });
      return undefined;
    } catch (error) {
      return error instanceof Error ? error.message : error;
    }
  };

  test("may have no more than what every state has", () => {
    expect(problemWith({})).toBeUndefined();
    expect(problemOf({ agent: "A" }, storedState)).toBeUndefined();
  });

  test.each([
    [{ messages: {} }, "messages must be a list"],
    [{ messages: [{ role: "user", content: [{}] }] }, "messages[0].content[0].type must be a text"],
    [{ messages: [{ role: "tool", result: {} }] }, "messages[0].result.toolCallId must be a text"],
    [{ pending: [{ ...call, edited: {} }] }, "pending[0].edited.toolCallId must be a text"],
    [{ approvals: [{ toolCallId: "c" }] }, "approvals[0].approvalId must be a text"],
    [{ nested: [{ toolCallId: "c", steps: [{}] }] }, "nested[0].steps[0].step must be a text"],
    [{ nested: [{ toolCallId: "c", steps: [{ step: "s" }] }] }, "nested[0].steps[0].error must be a text"],
    [
      { nested: [{ toolCallId: "c", steps: [{ step: "s", state: {} }] }] },
      "nested[0].steps[0].state.version must be a number",
    ],
    [
      { nested: [{ toolCallId: "c", steps: [{ step: "s", call, original: 1 }] }] },
      "nested[0].steps[0].original must be an object",
    ],
    [{ usage: { inputTokens: "7" } }, "usage.inputTokens must be a number"],
    [{ modelCalls: [{ provider: "p", modelId: "m" }] }, "modelCalls[0].usage must be an object"],
    [{ left: [{}] }, "left[0].toolCallId must be a text"],
  ])("with %j names what is wrong", (fields, problem) => {
    const message = String(problemWith(fields));
    expect(message.startsWith(`The state's ${problem}, not `)).toBe(true);
    expect(message.endsWith(". Pass result.state unchanged.")).toBe(true);
  });

  test("may have steps that did something, wait, failed or came to a value", () => {
    const steps = [{ value: 1 }, { error: "no" }, { waiting: call }, { call }, { state }].map((each) => ({
      step: "s",
      ...each,
    }));
    expect(problemWith({ nested: [{ toolCallId: "c", steps }] })).toBeUndefined();
  });
});

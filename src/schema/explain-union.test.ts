import { describe, expect, test } from "vitest";
import { newState } from "./check.ts";
import { compilationOf, compileSchema } from "./compile-schema.ts";
import type { Issue, JsonSchema } from "./types.ts";

function told(schema: JsonSchema, value: unknown): string[] {
  const outcome = compileSchema(schema).validate(value);
  return outcome.ok ? [] : outcome.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
}

const text = { type: "string" };
const number = { type: "number" };
const object = (properties: JsonSchema, ...required: readonly string[]) => ({
  type: "object",
  properties,
  required,
});

describe("a value that fits no branch of a union", () => {
  test("is explained by the branch with the fewest issues, the first of those", () => {
    const anyOf = [
      object({ a: text, b: text }, "a", "b"),
      object({ c: text }, "c"),
      object({ d: text }, "d"),
    ];
    expect(told({ anyOf }, {})).toEqual(["c: is required"]);
  });

  test("is explained by the branch that its tag names, also one of several values", () => {
    const anyOf = [
      object({ kind: { const: "a" }, x: number }, "x"),
      object({ kind: { enum: ["b", "c"] }, y: number, z: number }, "y", "z"),
    ];
    expect(told({ anyOf }, { kind: "c" })).toEqual(["y: is required", "z: is required"]);
    expect(told({ anyOf }, { kind: "d" })).toEqual([
      expect.stringMatching(/^kind: expected "a".*"b".*"c", received "d"$/),
    ]);
    expect(told({ anyOf }, {})).toEqual(["kind: is required"]);
  });

  test("has no tag in a property that a branch leaves open, or that stands in one branch alone", () => {
    const open = [
      object({ kind: { const: "a" }, x: number }, "x"),
      object({ kind: text, y: number }, "y", "kind"),
    ];
    expect(told({ anyOf: open }, { kind: "b" })).toEqual(["y: is required"]);
    expect(told({ anyOf: [object({ kind: { const: "a" } }, "kind"), text] }, { kind: "b" })).toEqual([
      'kind: expected "a", received "b"',
    ]);
  });

  test("has no tag where only one branch takes its kind: all that is wrong there is reported", () => {
    const anyOf = [object({ kind: { const: "a" }, x: number }), text];
    expect(told({ anyOf }, { kind: "b", x: "1" })).toEqual([
      'kind: expected "a", received "b"',
      "x: expected a number, received a string",
    ]);
  });

  test("has no tag in what every object has", () => {
    const anyOf = [object({ constructor: { const: "a" } }), object({ constructor: { const: "b" } })];
    const required = anyOf.map((branch) => ({ ...branch, required: ["constructor"] }));
    expect(told({ anyOf: required }, {})).toEqual(["constructor: is required"]);
  });

  test("is explained as long as there is a budget for it", () => {
    const schema = { anyOf: [object({ a: text }, "a"), object({ b: text }, "b")] };
    const explain = (budget: object): string[] => {
      const issues: Issue[] = [];
      compilationOf(schema)
        .compile(schema)
        .check({}, { ...newState(issues), ...budget });
      return issues.map(({ message }) => message);
    };
    expect(explain({ explanations: 1 })).toEqual(["is required"]);
    expect(explain({ explanations: 0 })).toEqual(["fits none of the alternatives"]);
  });

  test("and of which no branch could be tried, fits none", () => {
    const schema = { anyOf: [{}, {}] };
    const issues: Issue[] = [];
    compilationOf(schema)
      .compile(schema)
      .check({}, { ...newState(issues), steps: 0 });
    expect(issues.map(({ message }) => message)).toEqual(["fits none of the alternatives"]);
  });

  test("of another kind is reported with all that is wanted", () => {
    expect(told({ anyOf: [text, object({})] }, 7)).toEqual([": expected a string or an object, received 7"]);
    expect(told({ anyOf: [text, number] }, [])).toEqual([
      ": expected a string or a number, received an array",
    ]);
    expect(told({ anyOf: [false, false] }, 7)).toHaveLength(1);
  });

  test("is explained through references, as far as twenty of them", () => {
    const chain = (links: number): JsonSchema => {
      const $defs = Object.fromEntries(
        Array.from({ length: links }, (_, index) => [
          `r${index}`,
          index === links - 1 ? text : { $ref: `#/$defs/r${index + 1}` },
        ]),
      );
      return { anyOf: [{ $ref: "#/$defs/r0" }, number], $defs };
    };
    expect(told(chain(20), [])).toEqual([": expected a string or a number, received an array"]);
    expect(told(chain(21), [])).not.toEqual(told(chain(20), []));
  });
});

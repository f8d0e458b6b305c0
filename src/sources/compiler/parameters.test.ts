import { expect, test } from "vitest";
import type { ArgumentDefault, FunctionSchema, ParameterPlan } from "../../schema/function-schema.ts";
import { describeFixture } from "./fixtures/describe-fixture.ts";

const described = await describeFixture("signatures.ts");
const plain = await describeFixture("plain.js");

const property = (name: string, initial?: ArgumentDefault): ParameterPlan => ({
  kind: "property",
  name,
  ...(initial && { default: initial }),
});
const context: ParameterPlan = { kind: "context" };

/** What a function's schema is expected to be: its input is closed. */
function schema(
  name: string,
  parameters: readonly ParameterPlan[],
  properties: object,
  required: readonly string[] = [],
): FunctionSchema {
  return {
    name,
    inputSchema: {
      type: "object",
      properties,
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
    },
    parameters,
  };
}

test("parameters with a mark, or a type that allows undefined, are optional", () => {
  expect(described.get("optional")).toEqual(
    schema(
      "optional",
      ["early", "city", "days", "note"].map((name) => property(name)),
      {
        early: { type: "string" },
        city: { type: "string" },
        days: { type: "number" },
        note: { type: ["string", "null"] },
      },
      ["city"],
    ),
  );
});

test("includes static defaults; others only make the parameter optional", () => {
  const parameters: ParameterPlan[] = [
    property("limit", { value: 10 }),
    property("ratio", { value: -0.5 }),
    property("name", { value: "x" }),
    property("on", { value: true }),
    property("list", { value: [1, 2] }),
    property("options", { value: { deep: { a: null } } }),
    property("product", { value: 3600 }),
    property("constant", { value: 25 }),
    property("now", { isUnknown: true }),
  ];
  expect(described.get("defaults")).toEqual(
    schema("defaults", parameters, {
      limit: { type: "number", default: 10 },
      ratio: { type: "number", default: -0.5 },
      name: { type: "string", default: "x" },
      on: { type: "boolean", default: true },
      list: { type: "array", items: { type: "number" }, default: [1, 2] },
      options: {
        type: "object",
        properties: {
          deep: {
            type: "object",
            properties: { a: { type: ["string", "null"] } },
            required: ["a"],
            additionalProperties: false,
          },
        },
        required: ["deep"],
        additionalProperties: false,
        default: { deep: { a: null } },
      },
      product: { type: "number", default: 3600 },
      constant: { type: "number", default: 25 },
      now: { type: "number" },
    }),
  );
});

test("a default that JSON would change is left to the function", () => {
  const names = ["zero", "product", "constant", "huge", "list", "deep", "proto"];
  const inexact = described.get("inexactDefaults");
  expect(inexact).toMatchObject({
    parameters: names.map((name) => property(name, { isUnknown: true })),
  });
  expect(JSON.stringify(inexact)).not.toMatch(/"default":(?!\{"isUnknown":true\})/);
});

test("a destructured sole parameter is flattened", () => {
  expect(described.get("destructured")).toEqual(
    schema(
      "destructured",
      [{ kind: "object", default: { properties: { days: { value: 3 } } } }],
      { city: { type: "string" }, days: { type: "number", default: 3 } },
      ["city"],
    ),
  );
});

test("a destructured parameter beside a context takes dotted @param entries", () => {
  expect(described.get("documented")).toEqual({
    ...schema(
      "documented",
      [{ kind: "object", default: { properties: { limit: { value: 5 } } } }, context],
      {
        query: { type: "string", description: "What to look for." },
        limit: { type: "number", description: "At most this many.", minimum: 1, default: 5 },
      },
      ["query"],
    ),
    description: "Searches.",
  });
});

test("describes renamed, nested and collected properties of a pattern by their keys", () => {
  const properties = { city: { value: "Paris" }, at: { value: {}, properties: { hour: { value: 12 } } } };
  expect(described.get("renamed")).toEqual(
    schema(
      "renamed",
      [{ kind: "object", default: { properties } }],
      {
        city: { type: "string", default: "Paris" },
        at: {
          type: "object",
          properties: { hour: { type: "number", default: 12 } },
          additionalProperties: false,
          default: {},
        },
        zone: { type: "string" },
      },
      ["zone"],
    ),
  );
});

test("a destructured recursive type is flattened, its definition kept", () => {
  const children = { type: "array", items: { $ref: "#/$defs/Tree" } };
  const tree = schema("destructuredTree", [{ kind: "object" }], { label: { type: "string" }, children }, [
    "label",
  ]);
  const { inputSchema } = tree;
  expect(described.get("destructuredTree")).toEqual({
    ...tree,
    inputSchema: { ...inputSchema, $defs: { Tree: inputSchema } },
  });
});

test("a named object parameter stays one property", () => {
  expect(described.get("named")).toEqual({
    ...schema(
      "named",
      [property("options")],
      {
        options: {
          type: "object",
          properties: { city: { type: "string", description: "City name." }, days: { type: "number" } },
          required: ["city"],
          additionalProperties: false,
        },
      },
      ["options"],
    ),
    description: "Takes one object.",
  });
});

test("a rest parameter is an optional array", () => {
  expect(described.get("rest")).toEqual(
    schema(
      "rest",
      [property("label"), { kind: "rest", name: "numbers" }],
      { label: { type: "string" }, numbers: { type: "array", items: { type: "number" } } },
      ["label"],
    ),
  );
});

test("injects a parameter of type ToolContext, for any name, position, alias or optionality", () => {
  const city = { city: { type: "string" } };
  expect(described.get("context")).toEqual(schema("context", [property("city"), context], city, ["city"]));
  expect(described.get("contextFirst")).toEqual(
    schema("contextFirst", [context, property("city")], city, ["city"]),
  );
  expect(described.get("contextOnly")).toEqual(schema("contextOnly", [context], {}));
  expect(described.get("contextAlias")).toMatchObject({
    parameters: [property("person"), context],
    inputSchema: { required: ["person"] },
  });
});

test("this is not a parameter, and a function without parameters has an empty input", () => {
  expect(described.get("withThis")).toEqual({
    ...schema("withThis", [property("city")], { city: { type: "string" } }, ["city"]),
    thisType: "Shop",
  });
  expect(described.get("none")).toEqual(schema("none", [], {}));
});

test("arrows and generators are functions like any other", () => {
  expect(described.get("arrow")).toEqual({
    ...schema("arrow", [property("city")], { city: { type: "string" } }, ["city"]),
    outputSchema: { type: "string" },
  });
  expect(described.get("progress")).toEqual({
    ...schema("progress", [property("steps")], { steps: { type: "number" } }, ["steps"]),
    outputSchema: { type: "string" },
  });
});

test("the first of several overloads is described, with a warning", () => {
  const overloaded = described.get("overloaded");
  expect(overloaded).toMatchObject({
    ...schema("overloaded", [property("text")], { text: { type: "string" } }, ["text"]),
    description: "By text.",
  });
  expect(overloaded).toHaveProperty("warnings", [
    expect.stringMatching(/^the first of 2 overloads is described \(.*signatures\.ts:\d+\)$/),
  ]);
});

test("JSDoc types of plain JavaScript count, and parameters without a type are refused", () => {
  expect(plain.get("weather")).toEqual({
    ...schema(
      "weather",
      [property("city"), property("unit"), property("days", { value: 3 })],
      {
        city: { type: "string", description: "City name" },
        unit: { type: "string", description: "The unit", enum: ["kelvin", "celsius"] },
        days: { type: "number", description: "How long", default: 3 },
      },
      ["city"],
    ),
    description: "Get the weather.",
    outputSchema: { type: "array", items: { type: ["string", "number", "null"] } },
  });
  expect(plain.get("untyped")).toMatchObject({
    message: expect.stringMatching(
      /^The signature of "untyped" has parameters whose type is not known:\n  - parameter "value": it has no type \(.*plain\.js:11\)\nWrite its type in a JSDoc comment, such as @param \{string\} value/,
    ),
    data: { problems: [{ parameter: "value", kind: "untyped", line: 11 }] },
  });
});

import { describe, expect, test } from "vitest";
import { ConfigurationError } from "../errors.ts";
import { compilePublicSchema } from "./compile-public-schema.ts";
import { compileSchema } from "./compile-schema.ts";
import type { Issue, JsonSchema } from "./types.ts";

function issuesOf(schema: JsonSchema, value: unknown): readonly Issue[] {
  const outcome = compileSchema(schema).validate(value);
  return outcome.ok ? [] : outcome.issues;
}

/** Each issue as `path: message`. */
function told(schema: JsonSchema, value: unknown): string[] {
  return issuesOf(schema, value).map(({ path, message }) => `${path.join(".")}: ${message}`);
}

const fits = (schema: JsonSchema, value: unknown): boolean => compileSchema(schema).validate(value).ok;

describe("types and values", () => {
  test("reports a value of another type with the expected and received types", () => {
    const schema = { properties: { count: { type: "number" } } };
    expect(issuesOf(schema, { count: "3" })).toEqual([
      {
        path: ["count"],
        message: "expected a number, received a string",
        expected: "a number",
        received: "3",
      },
    ]);
  });

  test.each([
    ["integer", 1, 1.5],
    ["number", 1.5, Number.NaN],
    ["string", "", 1],
    ["boolean", false, 0],
    ["null", null, undefined],
    ["array", [], {}],
    ["object", {}, []],
  ])("%s", (type, right, wrong) => {
    expect(fits({ type }, right)).toBe(true);
    expect(fits({ type }, wrong)).toBe(false);
  });

  test("one of several types is enough", () => {
    expect(fits({ type: ["string", "null"] }, null)).toBe(true);
    expect(told({ type: ["integer", "null"] }, 1.5)).toEqual([": expected an integer or null, received 1.5"]);
  });

  test("enum and const compare by value, for any order of keys", () => {
    expect(fits({ enum: [{ a: 1, b: [2] }] }, { b: [2], a: 1 })).toBe(true);
    expect(fits({ const: { a: 1 } }, { a: 1, b: 2 })).toBe(false);
    expect(fits({ enum: [0, false] }, "")).toBe(false);
    expect(told({ type: "string", enum: ["celsius", "fahrenheit"] }, "kelvin")).toEqual([
      ': expected "celsius" or "fahrenheit", received "kelvin"',
    ]);
  });

  test("an enum's message says only one thing, and names the nearest of many", () => {
    const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
    expect(told({ type: "string", enum: days }, 3)).toHaveLength(1);
    expect(told({ enum: days }, "wendesday")[0]).toMatch(/received "wendesday"; did you mean "wednesday"\?$/);
  });
});

describe("numbers and strings", () => {
  test("reports limits with the number received", () => {
    expect(told({ minimum: 1 }, 0)).toEqual([": expected a number of at least 1, received 0"]);
    expect(told({ maximum: 1 }, 2)).toEqual([": expected a number of at most 1, received 2"]);
    expect(fits({ exclusiveMinimum: 1 }, 1)).toBe(false);
    expect(fits({ exclusiveMaximum: 1 }, 1)).toBe(false);
    expect(fits({ minimum: 1 }, "0")).toBe(true);
  });

  test.each([
    [0.3, 0.1, true],
    [19.99, 0.01, true],
    [0.35, 0.1, false],
    [9_007_199_254_740_991, 2, false],
    [1e308, 0.123456789, false],
    [0, 0.1, true],
  ])("%d is a multiple of %d: %s", (value, multipleOf, expected) => {
    expect(fits({ multipleOf }, value)).toBe(expected);
  });

  test("lengths are counted in code points", () => {
    expect(fits({ maxLength: 2 }, "🪿🪿")).toBe(true);
    expect(fits({ minLength: 2 }, "🪿")).toBe(false);
    expect(told({ maxLength: 1 }, "🪿🪿")).toEqual([": expected at most 1 character, received 2"]);
  });

  test("a pattern is read in Unicode mode where it can be", () => {
    expect(fits({ pattern: String.raw`^\p{L}+$` }, "né")).toBe(true);
    expect(fits({ pattern: String.raw`^\-\_$` }, "-_")).toBe(true);
    expect(told({ pattern: "^a" }, "b")).toEqual([': expected a string matching ^a, received "b"']);
  });

  test("checks formats, with an example in the issue; ignores unknown formats", () => {
    expect(told({ format: "date" }, "2026-02-30")).toEqual([
      ': expected a date such as "2026-01-31", received "2026-02-30"',
    ]);
    expect(fits({ format: "phone" }, "?")).toBe(true);
    expect(fits({ format: "email" }, 3)).toBe(true);
  });
});

describe("arrays", () => {
  test("reports every wrong item with its index", () => {
    expect(told({ items: { type: "string" } }, ["a", 1, "b", null])).toEqual([
      "1: expected a string, received a number",
      "3: expected a string, received null",
    ]);
  });

  test("prefixItems come first, items after them", () => {
    const schema = { prefixItems: [{ type: "string" }, { type: "number" }], items: false };
    expect(fits(schema, ["a", 1])).toBe(true);
    expect(fits(schema, ["a"])).toBe(true);
    expect(told(schema, [1, 1, true])).toEqual([
      "0: expected a string, received a number",
      "2: is not allowed",
    ]);
  });

  test("sizes and uniqueness", () => {
    expect(told({ minItems: 1 }, [])).toEqual([": expected at least 1 item, received 0"]);
    expect(told({ maxItems: 1 }, [1, 2])).toEqual([": expected at most 1 item, received 2"]);
    expect(told({ uniqueItems: true }, [{ a: 1, b: 2 }, 0, { b: 2, a: 1 }])).toEqual([
      ": expected different items; items 0 and 2 are the same",
    ]);
    expect(fits({ uniqueItems: true }, [1, "1", true, "true", null, [1], [[1]]])).toBe(true);
  });

  test("reports the first fifty of thousands of wrong items", () => {
    expect(issuesOf({ items: { type: "string" } }, Array(5_000).fill(1))).toHaveLength(50);
  });
});

describe("objects", () => {
  const person = {
    type: "object",
    properties: { name: { type: "string" }, age: { type: "integer" } },
    required: ["name", "age"],
    additionalProperties: false,
  };

  test("reports a missing property at its own place", () => {
    expect(issuesOf(person, { name: "Ada" })).toEqual([
      { path: ["age"], message: "is required", expected: "an integer" },
    ]);
  });

  test("a property that is undefined counts as absent", () => {
    expect(told(person, { name: "Ada", age: undefined, more: undefined })).toEqual(["age: is required"]);
  });

  test("compares only the first of many unknown names with those there are", () => {
    const properties = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`property${index}`, {}]));
    const value = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`propert${index}`, index]));
    const issues = told({ properties, additionalProperties: false }, value);
    expect(issues).toHaveLength(50);
    expect(issues.filter((issue) => issue.includes("did you mean"))).toHaveLength(20);
  });

  test("reports an unknown property with the allowed names and the nearest", () => {
    expect(told(person, { name: "Ada", age: 3, nmae: "Ada" })).toEqual([
      'nmae: is not a known property; did you mean "name"? allowed: "name" or "age"',
    ]);
    expect(told({ additionalProperties: false }, { a: 1 })).toEqual([
      "a: is not a known property; allowed: no property",
    ]);
  });

  test("additional, pattern and name schemas", () => {
    const schema = {
      properties: { id: {} },
      patternProperties: { "^x-": { type: "string" } },
      additionalProperties: { type: "number" },
    };
    expect(fits(schema, { id: [], "x-a": "1", n: 1 })).toBe(true);
    expect(told(schema, { "x-a": 1, n: "1" })).toEqual([
      "x-a: expected a string, received a number",
      "n: expected a number, received a string",
    ]);
    expect(told({ propertyNames: { maxLength: 2 } }, { abc: 1 })).toEqual([
      "abc: has a name that does not fit: expected at most 2 characters, received 3",
    ]);
    expect(told({ minProperties: 2 }, { a: 1 })).toEqual([": expected at least 2 properties, received 1"]);
    expect(told({ maxProperties: 0 }, { a: 1 })).toEqual([": expected at most 0 properties, received 1"]);
  });

  test("only own properties count", () => {
    expect(told({ required: ["toString", "constructor"] }, {})).toEqual([
      "toString: is required",
      "constructor: is required",
    ]);
    expect(fits({ properties: { toString: { type: "string" } } }, {})).toBe(true);
    expect(told({ properties: { a: {} }, additionalProperties: false }, { constructor: 1 })).toHaveLength(1);
    const schema: JsonSchema = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}');
    expect(told(schema, JSON.parse('{"__proto__":1}'))).toEqual([
      "__proto__: expected a string, received a number",
    ]);
  });
});

describe("combinations", () => {
  test("allOf, oneOf and not", () => {
    expect(told({ allOf: [{ minimum: 3 }, { multipleOf: 2 }] }, 1)).toEqual([
      ": expected a number of at least 3, received 1",
      ": expected a multiple of 2, received 1",
    ]);
    expect(told({ oneOf: [{ minimum: 1 }, { minimum: 2 }] }, 3)).toEqual([
      ": fits more than one of the alternatives; exactly one is wanted",
    ]);
    expect(told({ not: { type: "string" } }, "a")).toEqual([": is not allowed here"]);
  });

  test("a union of types that the value does not fit is reported in one sentence", () => {
    expect(told({ anyOf: [{ type: "string" }, { type: "array" }, { const: 5 }] }, 6)).toEqual([
      ": expected a string, an array or 5, received 6",
    ]);
  });

  test("only the branch of the value's type is explained", () => {
    const schema = { anyOf: [{ type: "null" }, { type: "string", minLength: 3 }] };
    expect(told(schema, "ab")).toEqual([": expected at least 3 characters, received 2"]);
  });

  const shape = {
    oneOf: [
      { $ref: "#/$defs/circle" },
      {
        type: "object",
        properties: { kind: { const: "square" }, side: { type: "number" } },
        required: ["kind", "side"],
      },
    ],
    $defs: {
      circle: {
        type: "object",
        properties: { kind: { const: "circle" }, radius: { type: "number" }, fill: { type: "string" } },
        required: ["kind", "radius"],
      },
    },
  };

  test("a tag chooses the branch that is explained", () => {
    expect(told(shape, { kind: "circle", radius: "1", fill: 2 })).toEqual([
      "radius: expected a number, received a string",
      "fill: expected a string, received a number",
    ]);
  });

  test("reports a wrong or missing tag with all tags", () => {
    expect(told(shape, { kind: "oval" })).toEqual(['kind: expected "circle" or "square", received "oval"']);
    expect(issuesOf(shape, {})).toEqual([
      { path: ["kind"], message: "is required", expected: '"circle" or "square"' },
    ]);
  });

  test("without a tag, the branch with the fewest issues is explained", () => {
    const schema = {
      anyOf: [{ required: ["a", "b", "c"] }, { required: ["a", "z"] }],
    };
    expect(told(schema, { a: 1 })).toEqual(["z: is required"]);
  });
});

describe("references", () => {
  const tree = {
    $ref: "#/$defs/node",
    $defs: {
      node: {
        type: "object",
        properties: {
          value: { type: "number" },
          children: { type: "array", items: { $ref: "#/$defs/node" } },
        },
        required: ["value"],
      },
    },
  };

  test("a schema may refer to itself", () => {
    expect(fits(tree, { value: 1, children: [{ value: 2, children: [] }] })).toBe(true);
    expect(told(tree, { value: 1, children: [{ value: 2, children: [{ value: "3" }] }] })).toEqual([
      "children.0.children.0.value: expected a number, received a string",
    ]);
    expect(
      fits({ properties: { next: { $ref: "#" } }, additionalProperties: false }, { next: { next: {} } }),
    ).toBe(true);
  });

  test("pointers are unescaped, and definitions of older drafts are found", () => {
    const schema = {
      definitions: { "a/b": { type: "string" }, "c%d": { type: "number" }, "~": { type: "null" } },
      prefixItems: [
        { $ref: "#/definitions/a~1b" },
        { $ref: "#/definitions/c%25d" },
        { $ref: "#/definitions/~0" },
      ],
    };
    expect(fits(schema, ["a", 1, null])).toBe(true);
    expect(told(schema, [1, 1, 1])).toHaveLength(2);
  });

  test("keywords beside a reference hold too", () => {
    const schema = { $ref: "#/$defs/name", maxLength: 2, $defs: { name: { type: "string" } } };
    expect(told(schema, "abc")).toEqual([": expected at most 2 characters, received 3"]);
  });

  test("a reference that names nothing is an invalid schema that names it", () => {
    const schema = compileSchema({ properties: { a: { $ref: "#/$defs/missing" } } });
    expect(() => schema.validate({})).toThrow(ConfigurationError);
    expect(() => schema.validate({})).toThrow(
      /at #\/properties\/a: "\$ref" names nothing: "#\/\$defs\/missing"/,
    );
    expect(() => compileSchema({ $ref: "#/constructor" }).validate({})).toThrow(ConfigurationError);
  });

  test("a cyclic value and a circular reference end", () => {
    const cyclic: Record<string, unknown> = {};
    cyclic["next"] = cyclic;
    const list = { properties: { next: { $ref: "#" } } };
    expect(issuesOf(list, cyclic).map(({ message }) => message)).toEqual(["is nested too deeply"]);
    expect(
      fits({ $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } }, 1),
    ).toBe(false);
    expect(fits({ uniqueItems: true }, [cyclic, cyclic])).toBe(true);
  });

  test("unions that recurse do not multiply", () => {
    const node = (extra: string): JsonSchema => ({
      type: "object",
      properties: { child: { $ref: "#" } },
      required: [extra],
    });
    const schema = { anyOf: [{ type: "number" }, node("a"), node("b"), node("c")] };
    let value: unknown = "wrong";
    for (let depth = 0; depth < 60; depth++) value = { child: value, a: 1, b: 1, c: 1 };
    expect(issuesOf(schema, value).length).toBeGreaterThan(0);
  });
});

describe("the schema itself", () => {
  test("boolean subschemas", () => {
    expect(fits({ properties: { a: true } }, { a: 1 })).toBe(true);
    expect(told({ properties: { a: false } }, { a: 1 })).toEqual(["a: is not allowed"]);
  });

  test("unknown keywords are ignored", () => {
    expect(fits({ title: 5, "x-order": [1], constructor: 1, deprecated: true }, "anything")).toBe(true);
  });

  test.each([
    [{ type: "strng" }, '"type" names no type: "strng"'],
    [{ type: [] }, '"type" names no type'],
    [{ properties: { a: { enum: "x" } } }, 'at #/properties/a: "enum" must be an array'],
    [{ properties: [] }, '"properties" must be an object'],
    [{ items: "string" }, '"items" must be a schema (an object, true or false), not "string"'],
    [{ required: true }, '"required" must be an array'],
    [{ minLength: -1 }, '"minLength" must be a whole number, 0 or more'],
    [{ minimum: "1" }, '"minimum" must be a number'],
    [{ multipleOf: 0 }, '"multipleOf" must be above 0'],
    [{ pattern: "(" }, '"pattern" is not a regular expression'],
    [{ anyOf: [] }, '"anyOf" must not be empty'],
  ])("a malformed schema is an error that says where: %j", (schema, message) => {
    expect(() => compileSchema(schema).validate({})).toThrow(message);
    expect(() => compileSchema(schema).validate({})).toThrow(
      expect.objectContaining({ code: "invalid-schema" }),
    );
  });

  test("definitions that are undefined are none", () => {
    expect(compileSchema({ $defs: undefined, type: "string" }).validate("a").ok).toBe(true);
  });

  test("a name that draft 7 does not know as one is none", () => {
    const leaf = { definitions: { leaf: { $anchor: "leaf" } }, allOf: [{ $ref: "#leaf" }] };
    const old = { ...leaf, $schema: "http://json-schema.org/draft-07/schema#" };
    expect(compileSchema(leaf).validate(1).ok).toBe(true);
    expect(() => compileSchema(old).validate(1)).toThrow('"$ref" names nothing: "#leaf"');
  });

  test("nothing is compiled before the first validation", () => {
    expect(compileSchema({ type: "strng" }).jsonSchema).toEqual({ type: "strng" });
  });

  test("returns a matching value itself", () => {
    const value = { a: 1 };
    const outcome = compileSchema<{ a: number }>({ type: "object" }).validate(value);
    expect(outcome.ok && outcome.value).toBe(value);
  });
});

test.each([5, "x", [], null, undefined])("the schema %j is refused at once", (schema) => {
  // @ts-expect-error -- as a program without types writes it
  expect(() => compilePublicSchema(schema)).toThrow(ConfigurationError);
});

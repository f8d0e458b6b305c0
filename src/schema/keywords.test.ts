// oxlint-disable unicorn/no-thenable -- "then" is a keyword of JSON Schema
import { describe, expect, test } from "vitest";
import { compileSchema } from "./compile-schema.ts";
import { drafts } from "./fixtures/keyword-cases.ts";
import type { CompileOptions, JsonSchema } from "./types.ts";

describe.each(drafts)("%s", (_draft, $schema, cases) => {
  test.each(cases)("%s", (_keyword, schema, fitting, wrong) => {
    const { validate } = compileSchema({ $schema, ...schema });
    expect(fitting.filter((value) => !validate(value).ok)).toEqual([]);
    expect(wrong.filter((value) => validate(value).ok)).toEqual([]);
    const explained = wrong.map(validate).filter((outcome) => !outcome.ok && outcome.issues.length > 0);
    expect(explained).toHaveLength(wrong.length);
  });
});

function told(schema: JsonSchema, value: unknown, options?: CompileOptions): string[] {
  const outcome = compileSchema(schema, options).validate(value);
  return outcome.ok ? [] : outcome.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
}

describe("issues", () => {
  test("too few and too many items of a kind are counted", () => {
    expect(told({ contains: { type: "number" } }, ["a"])).toEqual([
      ": expected at least 1 item that is a number, received 0",
    ]);
    expect(told({ contains: { minimum: 1 }, minContains: 2, maxContains: 3 }, [1])).toEqual([
      ': expected at least 2 items fitting "contains", received 1',
    ]);
    expect(told({ contains: { const: 1 }, maxContains: 1 }, [1, 1])).toEqual([
      ": expected at most 1 item that is 1, received 2",
    ]);
    expect(told({ contains: { const: 1 }, maxContains: 0 }, [1])).toEqual([
      ": expected at most 0 items that is 1, received 1",
    ]);
  });

  test("reports a dependent property at its place, with the property that requires it", () => {
    const schema = {
      properties: { zip: { type: "string" } },
      dependentRequired: { street: ["zip", "city"] },
    };
    expect(told(schema, { street: "A" })).toEqual([
      'zip: is required beside "street"',
      'city: is required beside "street"',
    ]);
  });

  test("the branch of a condition speaks for itself", () => {
    const schema = { if: { required: ["a"] }, then: { required: ["b"] }, else: { maxProperties: 0 } };
    expect(told(schema, { a: 1 })).toEqual(["b: is required"]);
    expect(told(schema, { c: 1 })).toEqual([": expected at most 0 properties, received 1"]);
  });

  test("a condition without the branch that applies allows anything", () => {
    const onlyThen = { if: { required: ["a"] }, then: { required: ["b"] } };
    expect(told(onlyThen, { c: 1 })).toEqual([]);
    expect(told(onlyThen, { a: 1 })).toEqual(["b: is required"]);
    const onlyElse = { if: { required: ["a"] }, else: { required: ["b"] } };
    expect(told(onlyElse, { a: 1 })).toEqual([]);
    expect(told(onlyElse, { c: 1 })).toEqual(["b: is required"]);
  });

  test("what is undefined is not there, and what is inherited neither", () => {
    expect(told({ unevaluatedProperties: false }, { a: undefined })).toEqual([]);
    const heir: unknown = Object.create({ a: 1 });
    expect(told({ properties: { a: { type: "string" } } }, heir)).toEqual([]);
    expect(told({ required: ["a"] }, heir)).toEqual(["a: is required"]);
  });

  test("items need not be different where that is not wanted", () => {
    expect(told({ uniqueItems: false }, [1, 1])).toEqual([]);
  });

  test("a similar value is named where there are more than five, for twenty values at most", () => {
    const hinted = (words: readonly string[], count: number): number =>
      told({ items: { enum: words } }, Array(count).fill("thrre")).filter((issue) =>
        issue.includes('did you mean "three"?'),
      ).length;
    const five = ["one", "two", "three", "four", "five"];
    expect(hinted(five, 1)).toBe(0);
    expect(hinted([...five, "six"], 30)).toBe(20);
  });

  test("reports unevaluated properties after all other issues", () => {
    const schema = { allOf: [{ properties: { a: { type: "string" } } }], unevaluatedProperties: false };
    expect(told(schema, { a: "", b: 1 })).toEqual(["b: is not allowed"]);
    expect(told(schema, { a: 1, b: 1 })).toEqual(["a: expected a string, received a number"]);
    expect(told({ unevaluatedItems: { type: "null" } }, [null, 1])).toEqual([
      "1: expected null, received a number",
    ]);
  });
});

describe("further documents", () => {
  const schemas = {
    "https://example.com/city.json": {
      properties: { name: { $ref: "#/$defs/name" }, twin: { $ref: "" }, land: { $ref: "land.json" } },
      $defs: { name: { type: "string" } },
    },
    "https://example.com/land.json": { $id: "https://other.example/land", $anchor: "land", const: "FR" },
  };
  const schema = { properties: { city: { $ref: "https://example.com/city.json" } } };

  test("are found by their addresses, and find each other", () => {
    expect(
      told(schema, { city: { name: "Paris", twin: { name: "Rome" }, land: "FR" } }, { schemas }),
    ).toEqual([]);
    expect(told(schema, { city: { twin: { name: 1 } } }, { schemas })).toEqual([
      "city.twin.name: expected a string, received a number",
    ]);
    expect(told(schema, { city: { land: "DE" } }, { schemas })).toHaveLength(1);
  });

  test("answer to their own identifiers, too", () => {
    expect(told({ $ref: "https://other.example/land#land" }, "DE", { schemas })).toHaveLength(1);
    expect(told({ $ref: "https://example.com/land.json#land" }, "FR", { schemas })).toEqual([]);
  });

  test("do not take the place of what the schema has under their address", () => {
    const own = { $id: "https://example.com/city.json", type: "number" };
    const both = {
      allOf: [{ $ref: "https://example.com/any.json" }, { $ref: "https://example.com/city.json" }],
      $defs: { own },
    };
    const documents = { ...schemas, "https://example.com/any.json": {} };
    expect(told(both, 5, { schemas: documents })).toEqual([]);
    expect(told(both, {}, { schemas: documents })).toEqual([": expected a number, received an object"]);
  });

  test("that are not given are never fetched, but named", () => {
    expect(() => told(schema, {})).toThrow(
      'at #/properties/city: "$ref" names nothing: "https://example.com/city.json"',
    );
  });

  test("one schema may be compiled with different options", () => {
    expect(() => told(schema, {})).toThrow("names nothing");
    expect(told(schema, {}, { schemas })).toEqual([]);
    expect(
      told(schema, { city: 5 }, { schemas: { "https://example.com/city.json": { type: "string" } } }),
    ).toHaveLength(1);
    const date = { format: "date" };
    expect(told(date, "x", { formats: "annotate" })).toEqual([]);
    expect(told(date, "x")).toHaveLength(1);
  });

  test("an address that only begins like a draft's is none", () => {
    expect(told({ $schema: "https://example.com/draft-07b", prefixItems: [false] }, [1])).toHaveLength(1);
    expect(told({ $schema: "https://example.com/draft-07/", prefixItems: [false] }, [1])).toEqual([]);
  });

  test("a metaschema may leave vocabularies out, or require an unknown one", () => {
    const vocabulary = (...names: string[]): JsonSchema => ({
      $vocabulary: Object.fromEntries(names.map((name) => [name, true])),
    });
    const base = "https://json-schema.org/draft/2020-12/vocab/";
    const custom = {
      "https://example.com/few": vocabulary(`${base}core`, `${base}applicator`),
      "https://example.com/odd": vocabulary("https://example.com/vocab/units"),
    };
    const few = { $schema: "https://example.com/few", required: ["a"], properties: { a: false } };
    expect(told(few, {}, { schemas: custom })).toEqual([]);
    expect(told(few, { a: 1 }, { schemas: custom })).toEqual(["a: is not allowed"]);
    const optional = {
      $vocabulary: { [`${base}validation`]: true, "https://example.com/vocab/units": false },
    };
    const lenient = { "https://example.com/lenient": optional };
    expect(told({ $schema: "https://example.com/lenient", const: 1 }, 1, { schemas: lenient })).toEqual([]);
    expect(() => told({ $schema: "https://example.com/odd" }, {}, { schemas: custom })).toThrow(
      "needs the unknown vocabulary https://example.com/vocab/units",
    );
  });
});

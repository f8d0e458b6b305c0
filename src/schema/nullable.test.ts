import { expect, test } from "vitest";
import { nullable } from "./nullable.ts";
import type { JsonSchema } from "./types.ts";

test.each<[string, JsonSchema, JsonSchema]>([
  ["a type", { type: "string", minLength: 1 }, { type: ["string", "null"], minLength: 1 }],
  ["types", { type: ["string", "number"] }, { type: ["string", "number", "null"] }],
  ["a type that has it", { type: ["string", "null"] }, { type: ["string", "null"] }],
  ["values", { type: "string", enum: ["a"] }, { type: ["string", "null"], enum: ["a", null] }],
  ["values that have it", { type: "null", enum: [null] }, { type: "null", enum: [null] }],
  ["one value", { type: "string", const: "a" }, { type: ["string", "null"], enum: ["a", null] }],
  ["null alone", { const: null }, { const: null }],
  ["branches", { anyOf: [{ type: "string" }] }, { anyOf: [{ type: "string" }, { type: "null" }] }],
  [
    "branches that have it",
    { anyOf: [{ type: "string" }, { type: "null" }] },
    { anyOf: [{ type: "string" }, { type: "null" }] },
  ],
  ["a reference", { $ref: "#/$defs/A" }, { anyOf: [{ $ref: "#/$defs/A" }, { type: "null" }] }],
  ["anything", {}, {}],
])("a schema of %s takes null, once", (_, schema, expected) => {
  expect(nullable(schema)).toEqual(expected);
});

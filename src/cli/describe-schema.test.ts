import { expect, test } from "vitest";
import { describeParameters, describeType } from "./describe-schema.ts";

test("parameters read like a signature, optional ones marked", () => {
  const schema = {
    type: "object",
    properties: {
      city: { type: "string" },
      unit: { type: "string", enum: ["celsius", "fahrenheit"] },
      days: { type: "array", items: { type: "integer" } },
    },
    required: ["city"],
  };
  expect(describeParameters(schema)).toBe('city: string, unit?: "celsius" | "fahrenheit", days?: integer[]');
  expect(describeParameters({ type: "object" })).toBe("");
});

test("unions, lists of unions, objects, records and references have their own form", () => {
  expect(describeType({ anyOf: [{ type: "string" }, { type: "null" }] })).toBe("string | null");
  expect(describeType({ anyOf: [{ type: "string", format: "date-time" }, { type: "string" }] })).toBe(
    "string",
  );
  expect(describeType({ type: "array", items: { enum: [1, 2] } })).toBe("(1 | 2)[]");
  const tuple = { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], minItems: 1 };
  expect(describeType({ ...tuple, items: false })).toBe("[string, number?]");
  expect(describeType({ ...tuple, items: { type: "boolean" } })).toBe("[string, number?, ...boolean[]]");
  expect(describeType({ type: ["string", "null"] })).toBe("string | null");
  expect(describeType({ const: "a" })).toBe('"a"');
  expect(describeType({ $ref: "#/$defs/Address" })).toBe("Address");
  const object = { type: "object", properties: { a: { type: "number" }, b: {} }, required: ["a"] };
  expect(describeType(object)).toBe("{ a: number; b?: unknown }");
  expect(describeType({ type: "object", additionalProperties: { type: "number" } })).toBe(
    "Record<string, number>",
  );
  const open = { ...object, additionalProperties: { type: "boolean" } };
  expect(describeType(open)).toBe("{ a: number; b?: unknown; [key: string]: boolean }");
});

import { expect, test } from "vitest";
import type { FunctionSchema } from "../../schema/function-schema.ts";
import { withoutLeadingParameters } from "./bound.ts";

const schema: FunctionSchema = {
  name: "f",
  inputSchema: {
    type: "object",
    properties: { a: { type: "string" }, b: { type: "number" } },
    required: ["a", "b"],
    additionalProperties: false,
  },
  parameters: [{ kind: "property", name: "a" }, { kind: "context" }, { kind: "property", name: "b" }],
};

test("parameters that bind has filled are gone", () => {
  expect(withoutLeadingParameters(schema, 2)).toEqual({
    name: "f",
    inputSchema: {
      type: "object",
      properties: { b: { type: "number" } },
      required: ["b"],
      additionalProperties: false,
    },
    parameters: [{ kind: "property", name: "b" }],
  });
});

test("nothing bound changes nothing", () => {
  expect(withoutLeadingParameters(schema, 0)).toBe(schema);
});

test("a bound object parameter takes all properties with it", () => {
  expect(withoutLeadingParameters({ ...schema, parameters: [{ kind: "object" }] }, 1)).toEqual({
    name: "f",
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
    parameters: [],
  });
});

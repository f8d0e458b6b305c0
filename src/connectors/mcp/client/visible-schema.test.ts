import { expect, test } from "vitest";
import { compileSchema } from "../../../index.ts";
import { visibleSchema } from "./visible-schema.ts";

test.each(["^(['\"]).*\\1$", "(?i)^ord-\\d+$"])(
  "the pattern %s, which is not tested here, leaves the rest of the schema",
  (pattern) => {
    const order = { type: "string", pattern } as const;
    const schema = { type: "object", properties: { order, pattern: order }, required: ["order"] } as const;
    const visible = visibleSchema(schema, 100);
    expect(visible).toEqual({
      type: "object",
      properties: { order: { type: "string" }, pattern: { type: "string" } },
      required: ["order"],
    });
    const { validate } = compileSchema(visible);
    expect([{}, { order: 5 }, { order: "ord-7" }].map((value) => validate(value).ok)).toEqual([
      false,
      false,
      true,
    ]);
  },
);

test("a pattern that is tested here stays", () => {
  const schema = {
    type: "object",
    properties: { order: { type: "string", pattern: "^ord-\\d+$" } },
  } as const;
  expect(visibleSchema(schema, 100)).toEqual(schema);
});

test("a long pattern stays, and values that a call repeats stay as they are", () => {
  const rule = { pattern: "(", title: "  Rule\t1 " };
  const schema = {
    type: "object",
    properties: {
      code: { type: "string", pattern: `^(?:${"a|".repeat(1_500)}b)$` },
      rule: { const: rule },
      one: { enum: [rule], default: rule },
    },
  };
  expect(visibleSchema(schema, 100)).toEqual(schema);
});

test("a pattern of names that is not tested here refuses no name", () => {
  const schema = {
    type: "object",
    patternProperties: { "(?i)^x-": { type: "string" }, "^y-": { type: "string" } },
    additionalProperties: false,
  };
  const { validate } = compileSchema(visibleSchema(schema, 100));
  expect([{ "X-a": "1" }, { "y-a": 1 }].map((value) => validate(value).ok)).toEqual([true, false]);
});

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

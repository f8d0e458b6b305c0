import { expect, test } from "vitest";
import { strictFields } from "./strict-fields.ts";

const optional = { type: "object", properties: { days: { type: "number" } }, additionalProperties: false };
const open = { type: "object", properties: { any: {} } };

test("all properties of a strict tool are required, and optional ones may be null", () => {
  const warnings: string[] = [];
  expect(strictFields({ name: "f", inputSchema: optional, strict: true }, warnings)).toEqual({
    parameters: {
      type: "object",
      properties: { days: { type: ["number", "null"] } },
      required: ["days"],
      additionalProperties: false,
    },
    strict: true,
  });
  expect(warnings).toEqual([]);
});

test("a tool that has no strict form is sent without strict, with a warning", () => {
  const warnings: string[] = [];
  expect(strictFields({ name: "f", inputSchema: open, strict: true }, warnings)).toEqual({
    parameters: open,
    strict: false,
  });
  expect(warnings).toEqual(["The tool f is sent without strict: $.any accepts any value."]);
});

test("without strict, the schema is sent unchanged", () => {
  for (const strict of [false, undefined]) {
    const spec = { name: "f", inputSchema: optional, ...(strict !== undefined && { strict }) };
    expect(strictFields(spec, [])).toEqual({ parameters: optional, strict });
  }
});

import { expect, test } from "vitest";
import { compileSchema } from "./compile-schema.ts";
import { parseArguments } from "./parse-arguments.ts";
import { anthropicInfo } from "../providers/anthropic/info.ts";
import { openaiInfo } from "../providers/openai/info.ts";
import { strictForm } from "./strict.ts";
import type { JsonSchema } from "./types.ts";

const tree = {
  type: "object",
  properties: { label: { type: "string" }, children: { type: "array", items: { $ref: "#/$defs/Tree" } } },
  required: ["label"],
  additionalProperties: false,
};
const schema: JsonSchema = {
  type: "object",
  properties: {
    city: { type: "string", description: "City name.", minLength: 2, pattern: "^[A-Z]" },
    days: { type: "integer", minimum: 1, maximum: 14, default: 3 },
    unit: { type: "string", enum: ["celsius", "fahrenheit"], default: "celsius" },
    kind: { type: "string", const: "now" },
    when: { type: "string", format: "date-time" },
    link: { type: "string", format: "uri" },
    tags: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 3, uniqueItems: true },
    at: {
      type: "array",
      prefixItems: [{ type: "number" }, { type: "string" }],
      items: false,
      minItems: 2,
      maxItems: 2,
    },
    by: {
      oneOf: [
        {
          type: "object",
          properties: { card: { type: "string" }, note: { type: "string" } },
          required: ["card"],
        },
        { type: "null" },
      ],
    },
    place: {
      type: ["object", "null"],
      properties: { street: { type: "string" }, zip: { type: "string" } },
      required: ["street"],
      additionalProperties: false,
    },
  },
  required: ["city", "place"],
  additionalProperties: false,
};

test("for OpenAI everything is required, null stands for nothing, and unknown limits are described", () => {
  expect(strictForm(schema, openaiInfo.strict)).toEqual({
    ok: true,
    schema: {
      type: "object",
      properties: {
        city: { type: "string", description: "City name. (minLength: 2)", pattern: "^[A-Z]" },
        days: { type: ["integer", "null"], description: "(default: 3)", minimum: 1, maximum: 14 },
        unit: {
          type: ["string", "null"],
          description: '(default: "celsius")',
          enum: ["celsius", "fahrenheit", null],
        },
        kind: { type: ["string", "null"], enum: ["now", null] },
        when: { type: ["string", "null"], format: "date-time" },
        link: { type: ["string", "null"], description: '(format: "uri")' },
        tags: {
          type: ["array", "null"],
          description: "(uniqueItems: true)",
          items: { type: "string" },
          minItems: 1,
          maxItems: 3,
        },
        at: {
          type: ["array", "null"],
          description: '(prefixItems: [{"type":"number"},{"type":"string"}])',
          items: { anyOf: [{ type: "number" }, { type: "string" }] },
          minItems: 2,
          maxItems: 2,
        },
        by: {
          anyOf: [
            {
              type: "object",
              properties: { card: { type: "string" }, note: { type: ["string", "null"] } },
              required: ["card", "note"],
              additionalProperties: false,
            },
            { type: "null" },
          ],
        },
        place: {
          type: ["object", "null"],
          properties: { street: { type: "string" }, zip: { type: ["string", "null"] } },
          required: ["street", "zip"],
          additionalProperties: false,
        },
      },
      required: ["city", "days", "unit", "kind", "when", "link", "tags", "at", "by", "place"],
      additionalProperties: false,
    },
  });
});

test("for Anthropic optional properties stay so, and limits on numbers and texts are described", () => {
  const properties = {
    city: { type: "string", description: "City name.", minLength: 2 },
    days: { type: "integer", minimum: 1 },
    link: { type: "string", format: "uri" },
    tags: { type: "array", items: { type: "string" }, minItems: 1, maxItems: 3 },
    pairs: { type: "array", items: { type: "number" }, minItems: 2 },
  };
  expect(strictForm({ type: "object", properties, required: ["city"] }, anthropicInfo.strict)).toEqual({
    ok: true,
    schema: {
      type: "object",
      properties: {
        city: { type: "string", description: "City name. (minLength: 2)" },
        days: { type: "integer", description: "(minimum: 1)" },
        link: { type: "string", format: "uri" },
        tags: { type: "array", description: "(maxItems: 3)", items: { type: "string" }, minItems: 1 },
        pairs: { type: "array", description: "(minItems: 2)", items: { type: "number" } },
      },
      required: ["city"],
      additionalProperties: false,
    },
  });
});

test("a reference stands alone, and only OpenAI takes recursive types", () => {
  const recursive = {
    type: "object",
    properties: { tree: { $ref: "#/$defs/Tree", description: "All of it." } },
    required: ["tree"],
    additionalProperties: false,
    $defs: { Tree: tree },
  };
  expect(strictForm(recursive, openaiInfo.strict)).toEqual({
    ok: true,
    schema: {
      type: "object",
      properties: { tree: { description: "All of it.", anyOf: [{ $ref: "#/$defs/Tree" }] } },
      required: ["tree"],
      additionalProperties: false,
      $defs: {
        Tree: {
          type: "object",
          properties: {
            label: { type: "string" },
            children: { type: ["array", "null"], items: { $ref: "#/$defs/Tree" } },
          },
          required: ["label", "children"],
          additionalProperties: false,
        },
      },
    },
  });
  expect(strictForm(recursive, anthropicInfo.strict)).toEqual({
    ok: false,
    reason: "$.tree is a recursive type",
  });
});

test("what takes any keys or any values has no strict form, and the reason names the place", () => {
  const reasons = [
    { prices: { type: "object", additionalProperties: { type: "number" } } },
    { open: { type: "object", properties: {}, additionalProperties: true } },
    { named: { type: "object", properties: {}, patternProperties: { "^x": {} } } },
    { list: { type: "array", items: { type: "array" } } },
    { one: { anyOf: [{ type: "string" }, {}] } },
    { any: true },
  ].map((properties) => {
    const form = strictForm({ type: "object", properties }, openaiInfo.strict);
    return form.ok ? form.schema : form.reason;
  });
  expect(reasons).toEqual([
    "$.prices accepts any keys",
    "$.open accepts any keys",
    "$.named accepts any keys",
    "$.list[] accepts any items",
    "$.one|1 accepts any value",
    "$.any accepts any value",
  ]);
  expect(strictForm({ anyOf: [{ type: "object" }] }, openaiInfo.strict).ok).toBe(false);
});

test("a tool without parameters is closed", () => {
  expect(strictForm({ type: "object" }, openaiInfo.strict)).toEqual({
    ok: true,
    schema: { type: "object", properties: {}, required: [], additionalProperties: false },
  });
});

test("what fits the strict form comes back as what the schema itself means, nested places included", async () => {
  const value = {
    city: "Paris",
    days: null,
    unit: null,
    kind: null,
    when: null,
    link: null,
    tags: null,
    at: null,
    by: { card: "1", note: null },
    place: { street: "a", zip: null },
  };
  const form = strictForm(schema, openaiInfo.strict);
  expect(form.ok && compileSchema(form.schema).validate(value).ok).toBe(true);
  expect(await parseArguments(JSON.stringify(value), compileSchema(schema))).toEqual({
    ok: true,
    value: { city: "Paris", by: { card: "1" }, place: { street: "a" } },
  });
});

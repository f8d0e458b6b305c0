import { afterAll, describe, expect, test } from "vitest";
import { compileSchema } from "../../schema/compile-schema.ts";
import type { JsonSchema } from "../../schema/types.ts";
import { tool } from "../../tool/define.ts";
import { toolkit } from "../../tool/toolkit.ts";
import { leftovers } from "./fixtures/broken-models.ts";
import { brokenTools, secrets, soundTool } from "./fixtures/broken-tools.ts";
import { assertConformance, checkTool } from "./index.ts";
import { randomOf } from "./random.ts";
import { invalidValues } from "./values/invalid.ts";
import { validValues } from "./values/valid.ts";

afterAll(() => {
  for (const timer of leftovers) clearTimeout(timer);
});

/**
 * Books a table.
 * @param guests - How many @minimum 1 @maximum 12
 * @param day - Which day
 */
function bookTable(
  guests: number,
  day: Date,
  seats: "inside" | "outside" = "inside",
  notes?: readonly string[],
) {
  return { guests, at: day.toISOString(), seats, notes: notes?.map((note) => note.trim()) ?? [] };
}

class Geese {
  /** Counts geese. */
  count(names: readonly string[]): number {
    return names.length;
  }
  /** Calls a goose. */
  async call(name: string): Promise<string> {
    return `${name}!`;
  }
}

describe("checkTool", () => {
  test("passes a tool without a fault, a plain function and a toolkit", async () => {
    assertConformance(await checkTool(soundTool, { secrets }));
    assertConformance(await checkTool(bookTable));
    assertConformance(await checkTool(toolkit(new Geese())));
  });

  test.each(brokenTools)("finds that a tool %s, by the check %s", async (_, check, says, broken) => {
    const report = await checkTool(broken, { timeout: 250, runs: 3, secrets });
    const found = report.failures.filter((failure) => failure.check === check);
    expect(found.map(({ message }) => message).join("\n")).toContain(says);
    expect(() => assertConformance(report)).toThrow(`${check}: `);
  });

  test("takes inputs of the caller where none can be made", async () => {
    const input: JsonSchema = {
      type: "object",
      properties: { code: { type: "string", pattern: "^(?=.*G)(?!.*X)\\p{Lu}{3}$" } },
      required: ["code"],
    };
    const made = tool<{ code: string }>({ name: "look_up", input, execute: ({ code }) => code });
    expect((await checkTool(made)).failures[0]?.check).toBe("inputs");
    assertConformance(await checkTool(made, { inputs: [{ code: "AGB" }] }));
  });

  test("refuses a tool that is executed elsewhere", async () => {
    const elsewhere = tool({ name: "pay", input: { type: "object" } });
    await expect(checkTool(elsewhere)).rejects.toMatchObject({ code: "invalid-tool" });
  });
});

const schemas: readonly JsonSchema[] = [
  { type: "object", properties: { n: { type: "integer", minimum: 3, maximum: 3 } }, required: ["n"] },
  {
    type: "object",
    properties: { n: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 1, multipleOf: 0.25 } },
    required: ["n"],
  },
  {
    type: "object",
    properties: { s: { type: "string", pattern: "^[A-Z]{2}-\\d{3,5}(?:x|y)?$" } },
    required: ["s"],
  },
  { type: "object", properties: { s: { type: "string", minLength: 5, maxLength: 5 } }, required: ["s"] },
  {
    type: "object",
    properties: { d: { type: "string", format: "date-time" }, u: { type: "string", format: "uuid" } },
    required: ["d", "u"],
  },
  {
    type: "object",
    properties: { a: { type: "array", items: { enum: ["a", "b", "c"] }, minItems: 2, uniqueItems: true } },
    required: ["a"],
  },
  {
    type: "object",
    properties: {
      t: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }], minItems: 2, items: false },
    },
    required: ["t"],
  },
  {
    type: "object",
    properties: { tree: { $ref: "#/$defs/node" } },
    required: ["tree"],
    $defs: {
      node: {
        type: "object",
        properties: {
          name: { type: "string" },
          children: { type: "array", items: { $ref: "#/$defs/node" } },
        },
        required: ["name"],
        additionalProperties: false,
      },
    },
  },
  {
    type: "object",
    oneOf: [
      {
        properties: { kind: { const: "circle" }, radius: { type: "number", minimum: 0 } },
        required: ["kind", "radius"],
      },
      {
        properties: { kind: { const: "square" }, side: { type: "number", minimum: 0 } },
        required: ["kind", "side"],
      },
    ],
  },
  {
    allOf: [
      { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
      { type: "object", properties: { b: { type: "boolean" } }, required: ["b"] },
    ],
  },
  { type: "object", additionalProperties: { type: "integer" }, minProperties: 1 },
];

describe("values made of a schema", () => {
  test.each(schemas.map((schema) => [JSON.stringify(schema), schema] as const))("%s", (_, schema) => {
    const compiled = compileSchema(schema);
    const made = validValues(schema, randomOf(1), 30);
    expect(made.length).toBeGreaterThan(0);
    for (const value of made) expect(compiled.validate(value)).toMatchObject({ ok: true });
    expect(validValues(schema, randomOf(1), 30)).toEqual(made);
    const wrong = [...invalidValues(schema, made[0])];
    expect(wrong.length).toBeGreaterThan(0);
    for (const { value } of wrong) expect(compiled.validate(value)).toMatchObject({ ok: false });
  });

  test("take every alternative, both ends and what is left out", () => {
    const schema: JsonSchema = {
      type: "object",
      properties: {
        unit: { enum: ["celsius", "fahrenheit"] },
        days: { type: "integer", minimum: 1, maximum: 7 },
        city: { type: "string", minLength: 2, maxLength: 4 },
      },
      required: ["city"],
    };
    const made = validValues(schema, randomOf(1), 60) as { unit?: string; days?: number; city: string }[];
    expect(new Set(made.map(({ unit }) => unit))).toEqual(new Set([undefined, "celsius", "fahrenheit"]));
    const days = made.map(({ days }) => days);
    expect(days).toEqual(expect.arrayContaining([undefined, 1, 7]));
    expect(new Set(made.map(({ city }) => Array.from(city).length))).toEqual(new Set([2, 4]));
  });
});

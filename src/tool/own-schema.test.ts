import { describe, expect, test } from "vitest";
import { z } from "zod";
import { attach } from "../schema/attach/attach.ts";
import type { FunctionSchema } from "../schema/function-schema.ts";
import type { JsonSchema } from "../schema/types.ts";
import { tool } from "./define.ts";
import { matchInput, type MatchedInput } from "./own-schema.ts";
import type { ToolInput } from "./types.ts";

const text = { type: "string" } as const;

/** A schema of a tool's own, matched to a function whose signature is this one. */
function match(
  input: ToolInput,
  signature: Partial<FunctionSchema> = {},
  code = (): number => 1,
): MatchedInput {
  const schema = { name: "find", inputSchema: {}, parameters: [], placementOnly: true, ...signature };
  return matchInput(tool(attach(code, JSON.stringify(schema))), "seek", input, undefined);
}

const city = { parameters: [{ kind: "property", name: "city" }] } as const;
const outline = (property: JsonSchema, required: readonly string[] = []): JsonSchema => ({
  type: "object",
  properties: { city: property },
  required,
});

describe("descriptions of the function's comment", () => {
  const described = { ...city, inputSchema: outline({ ...text, description: "Which city." }) };
  const shown = (input: JsonSchema, signature: Partial<FunctionSchema> = described): unknown =>
    match(input, signature).schema.jsonSchema;

  test("are those of properties that have none", () => {
    const input = outline(text);
    expect(shown(input)).toEqual(outline({ ...text, description: "Which city." }));
    expect(input).toEqual(outline(text));
  });

  test.each<[string, JsonSchema]>([
    ["a property with one of its own", outline({ ...text, description: "" })],
    ["a reference", { ...outline({ $ref: "#/$defs/City" }), $defs: { City: text } }],
    ["a property of anything", outline(true as never)],
    ["no property", { type: "object", properties: {} }],
    ["no list of properties", { type: "object" }],
  ])("are not those of %s", (_, input) => {
    expect(shown(input)).toEqual(input);
  });

  test("are none where the function says nothing", () => {
    expect(shown(outline(text), { ...city, inputSchema: outline(text) })).toEqual(outline(text));
    const odd = { type: "object", properties: { toString: text } };
    const parameters = [{ kind: "property", name: "toString" }] as const;
    expect(shown(odd, { parameters, inputSchema: { properties: {} } })).toEqual(odd);
  });

  test("are those of the members where the whole object is the argument", () => {
    const place = { type: "object", properties: { city: { ...text, description: "Which city." } } };
    const whole = { ...city, inputSchema: { type: "object", properties: { place } } };
    const parameters = [{ kind: "property", name: "place" }] as const;
    expect(shown(outline(text), { ...whole, parameters })).toEqual(
      outline({ ...text, description: "Which city." }),
    );
    expect(shown(outline(text), { ...described, parameters: [{ kind: "object" }] })).toEqual(
      outline({ ...text, description: "Which city." }),
    );
  });

  test("stay out of a library's schema", () => {
    const { schema, defaults } = match(z.object({ city: z.string().default("Oslo") }), described);
    expect(schema.jsonSchema).toMatchObject({ properties: { city: { type: "string" } } });
    expect(JSON.stringify(schema.jsonSchema)).not.toContain("Which city.");
    expect(defaults).toEqual({});
  });
});

describe("defaults of the schema", () => {
  const needed = { ...city, inputSchema: outline(text, ["city"]) };

  test("are filled in where the function needs the value", () => {
    expect(match(outline({ ...text, default: "Oslo" }), needed).defaults).toEqual({
      city: { value: "Oslo" },
    });
    expect(match(outline({ ...text, default: null }), needed).defaults).toEqual({ city: { value: null } });
    const when = new Date(0);
    expect(match(outline({ default: when }), needed).defaults).toEqual({
      city: { value: when.toJSON() },
    });
  });

  test("are left to the function where it does not", () => {
    expect(
      match(outline({ ...text, default: "Oslo" }), { ...city, inputSchema: outline(text) }).defaults,
    ).toEqual({});
    expect(match(outline({ ...text, default: "Oslo" }), city).defaults).toEqual({});
  });

  test("are none where there is none", () => {
    expect(match(outline(text, ["city"]), needed).defaults).toEqual({});
    expect(match({ type: "object" }, { parameters: [], inputSchema: {} }).defaults).toEqual({});
  });
});

test("an error calls the function by its name, or by its code", () => {
  const needs = { ...city, inputSchema: outline(text, ["city"]) };
  expect(() => match(outline({}), needs)).toThrow(
    "The schema of the tool seek does not fit its function find:",
  );
  expect(() =>
    match({ type: "object", properties: {} }, { ...needs, name: "" }, [(): number => 1][0]),
  ).toThrow("does not fit its function () => 1: it has no property city");
  expect(() => match({ type: "string" }, city)).toThrow("the input of the tool seek");
});

test("of a library that makes something else, its output is compared, if that is known", () => {
  const signature = { ...city, inputSchema: { ...outline(text, ["city"]), additionalProperties: false } };
  const known = z.object({ q: z.string() }).pipe(z.transform(({ q }) => ({ town: q })));
  expect(match(known, signature).placements).toEqual(city.parameters);
  const coerced = z.object({ city: z.coerce.string() });
  expect(match(coerced, signature).placements).toEqual(city.parameters);
  expect(() => match(z.object({ town: z.string() }), signature)).toThrow("the function takes no town");
  expect(match(z.record(z.string(), z.string()), city).placements).toEqual([{ kind: "object" }]);
});

test("a function that is found at run time has its signature and its parameters", () => {
  const found: FunctionSchema = { name: "found", inputSchema: outline(text), parameters: city.parameters };
  const matched = matchInput(
    tool(() => 1),
    "seek",
    outline(text),
    found,
  );
  expect(matched.signature).toBe(found);
  expect(matched.placements).toEqual(city.parameters);
});

import { describe, expect, test } from "vitest";
import { z } from "zod";
import { compileSchema } from "./compile-schema.ts";
import { parseArguments } from "./parse-arguments.ts";
import { fromStandardSchema } from "./standard-schema.ts";
import type { Schema } from "./types.ts";

const weather = compileSchema({
  type: "object",
  properties: { city: { type: "string" }, days: { type: "integer" } },
});

async function problems(raw: string, schema: Schema = weather): Promise<readonly string[]> {
  const parsed = await parseArguments(raw, schema);
  return parsed.ok ? [] : parsed.issues.map(({ message }) => message);
}

test.each(["", "  \n", "null", " null "])("%j is an empty object", async (raw) => {
  expect(await parseArguments(raw, weather)).toEqual({ ok: true, value: {} });
});

test("what fits is taken as it stands, after one validation", async () => {
  let validations = 0;
  const schema: Schema = {
    ...weather,
    validate(value) {
      validations++;
      return weather.validate(value);
    },
  };
  expect(await parseArguments('{"city":"Paris","days":3}', schema)).toEqual({
    ok: true,
    value: { city: "Paris", days: 3 },
  });
  expect(validations).toBe(1);
});

test("what does not fit is coerced and validated again", async () => {
  expect(await parseArguments('{"city":75001,"days":"3"}', weather)).toEqual({
    ok: true,
    value: { city: "75001", days: 3 },
  });
  expect(await parseArguments('{"city":null}', weather)).toEqual({ ok: true, value: {} });
});

test("issues are those that remain after coercion", async () => {
  expect(await problems('{"city":1,"days":"three"}')).toEqual(["expected an integer, received a string"]);
});

test("an object written as JSON text is read", async () => {
  expect(await parseArguments(JSON.stringify('{"city":"Paris"}'), weather)).toEqual({
    ok: true,
    value: { city: "Paris" },
  });
});

describe("what cannot be arguments", () => {
  test.each([
    ["{", "expected a key, found the end of the text (line 1, column 2)"],
    ['{\n "city": Paris}', 'expected a value (a text needs quotes), found "Paris}" (line 2, column 10)'],
    [
      '{"city":"Paris" "days":3}',
      'expected "," or "}" after the value, found "\\"days\\":3}" (line 1, column 17)',
    ],
    ["undefined", 'expected an object, found "undefined" (line 1, column 1)'],
  ])("%j, with what and where", async (raw, message) => {
    expect(await problems(raw)).toEqual([`not valid JSON: ${message}`]);
  });

  test.each([
    ["[]", "expected an object of arguments, received an array"],
    ["5", "expected an object of arguments, received a number"],
    ['"Paris"', "expected an object of arguments, received a string"],
    ["'Paris'", "expected an object of arguments, received a string"],
  ])("%s, even where the schema takes anything", async (raw, message) => {
    expect(await problems(raw)).toEqual([message]);
    expect(await problems(raw, compileSchema({}))).toEqual([message]);
  });

  test("a text that is too long", async () => {
    const raw = `{"city":"${"a".repeat(10_000_000)}"}`;
    expect(await problems(raw)).toEqual(["longer than 4194304 characters (10000011)"]);
    expect((await parseArguments(raw, weather, { maxLength: 20_000_000 })).ok).toBe(true);
    expect((await parseArguments(raw, weather, { maxLength: raw.length })).ok).toBe(true);
    expect((await parseArguments(raw, weather, { maxLength: raw.length - 1 })).ok).toBe(false);
  });

  test("512 levels are read, more are not", async () => {
    const nested = (levels: number): string => `{"a":${"[".repeat(levels - 1)}${"]".repeat(levels - 1)}}`;
    expect((await parseArguments(nested(512), weather)).ok).toBe(true);
    expect(await problems(nested(513))).toEqual(["nested deeper than 512 levels (line 1, column 517)"]);
    expect(await problems(nested(50_000))).toEqual(["nested deeper than 512 levels (line 1, column 517)"]);
    expect(await problems(`{"a":`.repeat(50_000))).toEqual([
      "nested deeper than 512 levels (line 1, column 2561)",
    ]);
    expect(await problems(JSON.stringify({ days: nested(513) }))).toHaveLength(1);
  });
});

describe("what JSON.parse would not tell", () => {
  test.each([
    [
      '{"city":"Rome","city":"Paris"}',
      'the key "city" stands twice, with different values (line 1, column 16)',
    ],
    ['{"a":[{"b":1,\n"b":2}]}', 'the key "b" stands twice, with different values (line 2, column 1)'],
    [
      '{"a":1e999}',
      "the number 1e999 has more digits, or an exponent further from 0, than a number can hold (line 1, column 6)",
    ],
    [
      '{"a":[-1e999]}',
      "the number -1e999 has more digits, or an exponent further from 0, than a number can hold (line 1, column 7)",
    ],
    [
      '{"a":9007199254740993}',
      "the number 9007199254740993 has more digits, or an exponent further from 0, than a number can hold (line 1, column 6)",
    ],
  ])("reports %s to the model", async (raw, message) => {
    expect(await problems(raw, compileSchema({}))).toEqual([message]);
  });

  test.each([
    '{"city":"Paris","city":"Paris"}',
    '{"city":"\\":1,\\":2"}',
    '{"a":100000000000000000000,"b":1e300,"c":0.1234567890123456789,"d":-0}',
    '{"city":"\\u0000 \\ud800 \\udc00 \u2028 \ufeff"}',
  ])("%s is taken as JSON has it", async (raw) => {
    expect(await parseArguments(raw, compileSchema({}))).toEqual({ ok: true, value: JSON.parse(raw) });
  });

  test("a number is not read as text where digits of it were lost", async () => {
    const schema = compileSchema({ properties: { version: { type: "string" } } });
    for (const version of ["1.10", "2.0", "1e3"]) {
      expect(await problems(`{"version":${version}}`, schema)).toEqual([
        "expected a string, received a number",
      ]);
      expect(await problems(`{version: ${version}}`, schema)).toHaveLength(1);
    }
    expect(await parseArguments('{"version":1.1}', schema)).toEqual({ ok: true, value: { version: "1.1" } });
  });
});

describe("a key __proto__", () => {
  test.each([
    '{"__proto__":{"admin":true},"city":"Paris"}',
    '{"\\u005f_proto__":{"admin":true},"city":"Paris"}',
    '{__proto__: {admin: true}, "city": "Paris",}',
    '{"__proto__":1,"__proto__":2,"city":"Paris"}',
  ])("is dropped and the call proceeds: %s", async (raw) => {
    const strict = compileSchema({ properties: { city: {} }, additionalProperties: false });
    const parsed = await parseArguments(raw, strict);
    expect(parsed).toEqual({ ok: true, value: { city: "Paris" } });
    expect(parsed.ok && Object.getPrototypeOf(parsed.value)).toBe(Object.prototype);
    expect({}).not.toHaveProperty("admin");
  });

  test("is dropped at every depth, and other odd keys are ordinary", async () => {
    const raw = '{"a":[{"__proto__":1,"constructor":{"prototype":{"__proto__":2,"x":1}}}],"toString":3}';
    const parsed = await parseArguments(raw, compileSchema({}));
    expect(JSON.stringify(parsed.ok && parsed.value)).toBe(
      '{"a":[{"constructor":{"prototype":{"x":1}}}],"toString":3}',
    );
  });
});

describe("a library's schema", () => {
  const schema = fromStandardSchema(
    z.object({
      city: z.string().transform((city) => city.toUpperCase()),
      days: z.number().default(3),
      known: z
        .boolean()
        .optional()
        .refine(async () => true),
    }),
  );

  test("its own output is the value", async () => {
    expect(await parseArguments('{"city":"Paris"}', schema)).toEqual({
      ok: true,
      value: { city: "PARIS", days: 3 },
    });
  });

  test("arguments are coerced by its JSON Schema", async () => {
    expect(await parseArguments('{"city":75001,"days":null,"known":"true"}', schema)).toEqual({
      ok: true,
      value: { city: "75001", days: 3, known: true },
    });
  });

  test("reports its issues", async () => {
    const parsed = await parseArguments('{"city":"Paris","days":"many"}', schema);
    expect(parsed).toMatchObject({ ok: false, issues: [{ path: ["days"], received: "many" }] });
  });
});

import { describe, expect, test } from "vitest";
import { coerce } from "./coerce.ts";
import type { JsonSchema } from "./types.ts";

const one = (type: unknown, value: unknown): unknown => coerce({ type }, value);

describe("scalars", () => {
  test.each([
    ["number", "5", 5],
    ["number", "-0.5e1", -5],
    ["number", "0.1", 0.1],
    ["integer", "5.0", 5],
    ["boolean", "true", true],
    ["boolean", "false", false],
    ["string", 5, "5"],
    ["string", 0.25, "0.25"],
    [["integer", "null"], "5", 5],
  ])("%j: %j becomes %j", (type, value, expected) => {
    expect(one(type, value)).toBe(expected);
  });

  test.each([
    ["number", "1,000"],
    ["number", "3 apples"],
    ["number", "007"],
    ["number", ""],
    ["number", " 5 "],
    ["number", "+5"],
    ["number", ".5"],
    ["number", "0x10"],
    ["number", "Infinity"],
    ["number", "NaN"],
    ["number", "1e400"],
    ["number", "9007199254740993"],
    ["number", "0.12345678901234567890"],
    ["integer", "5.5"],
    ["boolean", "True"],
    ["boolean", "yes"],
    ["boolean", 1],
    ["number", true],
    ["string", true],
    ["string", 2 ** 53],
    ["string", 0.1 + 0.2],
    ["string", null],
    ["string", { a: 1 }],
    ["integer", 5.5],
    [["string", "number"], "5"],
  ])("%j: %j stays as it is", (type, value) => {
    expect(one(type, value)).toBe(value);
  });
});

describe("numbers as texts", () => {
  const schema = { properties: { a: { type: "string" }, b: { enum: ["1", "2"] } } };

  test("a number is the text that was written, or none", () => {
    expect(coerce(schema, { a: 1.1, b: 1 }, '{"a":1.1,"b":1}')).toEqual({ a: "1.1", b: "1" });
    const value = { a: 1.1, b: 1 };
    expect(coerce(schema, value, '{"a":1.10,"b":1.0}')).toBe(value);
    expect(coerce(schema, value, "{a: 11e-1 , b:1e0}")).toBe(value);
  });

  test("other numbers and texts do not matter", () => {
    expect(coerce(schema, { a: 5, c: 7.5 }, '{"a":5,"c":7.50,"d":"05:5.0"}')).toEqual({ a: "5", c: 7.5 });
  });

  test("nor does a number within JSON text escape", () => {
    const outer = { properties: { o: { type: "object", ...schema } } };
    expect(coerce(outer, { o: '{"a":1.10}' }, '{"o":"{\\"a\\":1.10}"}')).toEqual({ o: { a: 1.1 } });
    expect(coerce(outer, { o: '{"a":1.2}' }, '{"o":"{\\"a\\":1.2}"}')).toEqual({ o: { a: "1.2" } });
  });
});

describe("structures", () => {
  test("a scalar becomes an array of one where only an array fits and takes it", () => {
    const strings = { type: "array", items: { type: "string" } };
    expect(coerce(strings, "a")).toEqual(["a"]);
    expect(coerce(strings, 5)).toEqual(["5"]);
    expect(coerce({ type: "array", items: { type: "number" } }, "5")).toEqual([5]);
    expect(coerce({ type: "array", items: { type: "number" } }, "five")).toBe("five");
    expect(coerce({ ...strings, minItems: 2 }, "a")).toBe("a");
    expect(coerce(strings, "")).toBe("");
    expect(coerce(strings, "a, b")).toBe("a, b");
    expect(coerce(strings, "a\nb")).toBe("a\nb");
    expect(coerce(strings, null)).toBe(null);
    expect(coerce({ type: ["array", "string"] }, "a")).toBe("a");
  });

  test("JSON text becomes the object or array that is expected, and is mended within", () => {
    const schema = { type: "object", properties: { n: { type: "number" } } };
    expect(coerce(schema, '{"n":"1"}')).toEqual({ n: 1 });
    expect(coerce({ type: "array", items: { type: "string" } }, ' ["a", "b"] ')).toEqual(["a", "b"]);
    expect(coerce(schema, "[1]")).toBe("[1]");
    expect(coerce(schema, '{"n":')).toBe('{"n":');
    expect(coerce({ type: "array" }, '["a", "b')).toBe('["a", "b');
    expect(coerce({ type: ["object", "string"] }, "{}")).toBe("{}");
  });

  test("JSON text in which something would be lost stays text", () => {
    for (const text of [
      '{"a":1,"a":2}',
      '{"a":9007199254740993}',
      '{"a":1e999}',
      "{'a':1}",
      '{"a":1',
      "{}{}",
    ])
      expect(coerce({ type: "object" }, text)).toBe(text);
    expect(coerce({ type: "object" }, '{"a":1,"a":1}')).toEqual({ a: 1 });
    expect(coerce({ type: "object" }, '{"a":"\\":"}')).toEqual({ a: '":' });
  });

  test("JSON text cannot bring in a prototype", () => {
    const coerced = coerce({ type: "object" }, '{"__proto__":{"admin":true},"a":1}');
    expect(coerced).toEqual({ a: 1 });
    expect(Object.getPrototypeOf(coerced)).toBe(Object.prototype);
  });

  test("an item is mended by its own schema", () => {
    const schema = { prefixItems: [{ type: "string" }, { type: "number" }], items: { type: "boolean" } };
    expect(coerce(schema, [1, "2", "true", true])).toEqual(["1", 2, true, true]);
  });

  test("a property is mended by the schemas that hold for it", () => {
    const schema = {
      properties: { a: { type: "number" } },
      patternProperties: { "^x-": { type: "boolean" } },
      additionalProperties: { type: "string" },
    };
    expect(coerce(schema, { a: "1", "x-b": "true", c: 3 })).toEqual({ a: 1, "x-b": true, c: "3" });
    expect(coerce({ additionalProperties: false }, { a: "1" })).toEqual({ a: "1" });
  });
});

describe("enums", () => {
  const unit = { enum: ["Celsius", "Fahrenheit", "K", "k", 5, true] };

  test("a value that differs in case or surrounding whitespace only is found", () => {
    expect(coerce(unit, "celsius")).toBe("Celsius");
    expect(coerce(unit, " FAHRENHEIT\n")).toBe("Fahrenheit");
    expect(coerce({ const: "Yes" }, "yes")).toBe("Yes");
  });

  test("an ambiguous or different value stays as it is", () => {
    expect(coerce(unit, " k")).toBe(" k");
    expect(coerce(unit, "k")).toBe("k");
    expect(coerce(unit, "celsius!")).toBe("celsius!");
    expect(coerce({ anyOf: [{ const: "K" }, { const: "k" }] }, " k")).toBe(" k");
  });

  test("numbers and booleans among the values are found in their text", () => {
    expect(coerce(unit, "5")).toBe(5);
    expect(coerce(unit, "true")).toBe(true);
    expect(coerce({ enum: ["1", "2"] }, 2)).toBe("2");
  });
});

describe("null", () => {
  const schema = {
    type: "object",
    properties: {
      city: { type: "string" },
      unit: { type: "string" },
      note: { type: ["string", "null"] },
      any: {},
    },
    required: ["city"],
  };

  test("it goes where an optional property does not take it, and stays elsewhere", () => {
    const value = { city: null, unit: null, note: null, any: null, unknown: null };
    expect(coerce(schema, value)).toEqual({ city: null, note: null, any: null, unknown: null });
  });

  test("it goes at every depth", () => {
    expect(coerce({ items: schema }, [{ city: "Paris", unit: null }])).toEqual([{ city: "Paris" }]);
  });
});

describe("unions and references", () => {
  test("a value that some branch accepts stays as it is", () => {
    const schema = { anyOf: [{ type: "number" }, { type: "string" }] };
    expect(coerce(schema, "5")).toBe("5");
    expect(coerce({ oneOf: [{ type: "number" }, { type: "null" }] }, "5")).toBe(5);
  });

  test("making an array of a value comes last", () => {
    const schema = { anyOf: [{ type: "array", items: { type: "number" } }, { type: "number" }] };
    expect(coerce(schema, "5")).toBe(5);
    expect(coerce(schema, "[5]")).toEqual([5]);
    expect(coerce({ anyOf: [{ type: "array", items: { type: "number" } }, { type: "null" }] }, "5")).toEqual([
      5,
    ]);
  });

  test("a value that two branches would take in different forms stays as it is", () => {
    expect(coerce({ anyOf: [{ type: "string" }, { type: "array", items: { type: "number" } }] }, 5)).toBe(5);
    expect(coerce({ anyOf: [{ type: "number" }, { type: "array", items: { type: "string" } }] }, "5")).toBe(
      "5",
    );
    const of = (type: string): JsonSchema => ({ properties: { a: { type } }, required: ["a"] });
    const value = { a: ["5"] };
    expect(coerce({ oneOf: [of("number"), of("string")] }, value)).toBe(value);
    expect(coerce({ anyOf: [of("number"), of("integer")] }, { a: "5" })).toEqual({ a: 5 });
  });

  test("the branch that takes the mended value mends it", () => {
    const circle = {
      properties: { kind: { const: "circle" }, radius: { type: "number" } },
      required: ["radius"],
    };
    const square = {
      properties: { kind: { const: "square" }, side: { type: "number" } },
      required: ["side"],
    };
    expect(coerce({ anyOf: [circle, square] }, { kind: "Square", side: "2" })).toEqual({
      kind: "square",
      side: 2,
    });
  });

  test("allOf and references are followed, also recursively", () => {
    const schema = {
      allOf: [{ $ref: "#/$defs/node" }, { properties: { extra: { type: "boolean" } } }],
      $defs: {
        node: {
          properties: {
            value: { type: "number" },
            children: { type: "array", items: { $ref: "#/$defs/node" } },
          },
        },
      },
    };
    expect(coerce(schema, { value: "1", extra: "true", children: [{ value: "2" }] })).toEqual({
      value: 1,
      extra: true,
      children: [{ value: 2 }],
    });
  });

  test("values are mended through 200 levels of schemas", () => {
    const number = { type: "number" };
    const schema = {
      properties: {
        child: { $ref: "#" },
        near: { allOf: [number] },
        far: { allOf: [{ allOf: [number] }] },
      },
    };
    const within = (leaf: object): unknown => {
      let value: object = leaf;
      for (let level = 0; level < 99; level++) value = { child: value };
      return value;
    };
    expect(coerce(schema, within({ near: "5" }))).toEqual(within({ near: 5 }));
    expect(coerce(schema, within({ far: "5" }))).toEqual(within({ far: "5" }));
  });

  test("a recursive union with a wrong value deep within ends", () => {
    const node = (key: string): JsonSchema => ({
      type: "object",
      properties: { child: { $ref: "#" } },
      required: [key],
    });
    const schema = { anyOf: [{ type: "number" }, node("a"), node("b")] };
    let value: unknown = "five";
    for (let depth = 0; depth < 60; depth++) value = { child: value, a: 1, b: 1 };
    expect(coerce(schema, value)).toBeTypeOf("object");
  });
});

test("the work allowed grows with the input, so that a large one is mended to its last value", () => {
  const many = Array.from({ length: 100_000 }, () => "1");
  const schema = { type: "array", items: { type: "number" } };
  const mended = coerce(schema, many);
  expect(Array.isArray(mended) && [mended[0], mended.at(-1)]).toEqual([1, 1]);
  const rows = Array.from({ length: 50_000 }, () => ["1"]);
  const mendedRows = coerce({ type: "array", items: schema }, rows);
  expect(Array.isArray(mendedRows) && mendedRows.at(-1)).toEqual([1]);
});

test.each<[string, JsonSchema, unknown]>([
  ["references and alternatives", { items: { anyOf: [{}] } }, Array(1_000_001).fill(1)],
  ["patterns", { items: { pattern: "abc" } }, Array(60).fill("a".repeat(1_000_000))],
])("where too much has to be checked for %s, nothing is mended", (_title, list, much) => {
  const schema = { properties: { list, count: { type: "number" } } };
  const value = { list: much, count: "5" };
  expect(coerce(schema, value)).toBe(value);
  expect(coerce(schema, { list: [], count: "5" })).toEqual({ list: [], count: 5 });
});

test.each([{ a: 1 }, " ", "\n", null])("%j is not made an array of one", (value) => {
  expect(coerce({ type: "array" }, value)).toBe(value);
});

test("null stands for nothing only where the schema names the property", () => {
  const number = { type: "number" };
  const schema = { properties: { a: number }, additionalProperties: number };
  expect(coerce(schema, { a: null, b: null, c: "5" })).toEqual({ b: null, c: 5 });
});

describe("purity", () => {
  test("does not change the input, and returns a valid one itself", () => {
    const schema = { properties: { a: { type: "number" }, b: { type: "object" } } };
    const value = Object.freeze({ a: "1", b: Object.freeze({ c: 1 }) });
    const coerced = coerce(schema, value);
    expect(coerced).toEqual({ a: 1, b: { c: 1 } });
    expect(value.a).toBe("1");
    expect(coerced).toHaveProperty("b", value.b);
    const valid = { a: 1 };
    expect(coerce(schema, valid)).toBe(valid);
  });

  test("properties that cannot be mended do not keep others from it", () => {
    const schema = { properties: { a: { type: "number" }, b: { type: "number" } } };
    expect(coerce(schema, { a: "1,000", b: "2" })).toEqual({ a: "1,000", b: 2 });
  });
});

import { describe, expect, test } from "vitest";
import { coerce } from "./coerce.ts";
import { compileSchema } from "./compile-schema.ts";
import type { JsonSchema } from "./types.ts";

function told(schema: JsonSchema, value: unknown): string[] {
  const outcome = compileSchema(schema).validate(value);
  return outcome.ok ? [] : outcome.issues.map(({ message }) => message);
}

function nested(levels: number, wrap: (inner: unknown) => unknown, innermost: unknown = {}): unknown {
  let value = innermost;
  for (let level = 0; level < levels; level++) value = wrap(value);
  return value;
}

describe("depth", () => {
  const list = { properties: { next: { $ref: "#" } }, unevaluatedProperties: false };
  const tree = {
    $ref: "#/$defs/node",
    $defs: {
      node: {
        anyOf: [
          { type: "string" },
          { type: "array", items: { $ref: "#/$defs/node" } },
          { type: "object", additionalProperties: { allOf: [{ $ref: "#/$defs/node" }] } },
        ],
      },
    },
  };

  test("a value of 10,000 levels is refused with an issue", () => {
    expect(
      told(
        list,
        nested(10_000, (next) => ({ next })),
      ),
    ).toEqual(["is nested too deeply"]);
    expect(
      told(
        tree,
        nested(10_000, (item) => [item]),
      ),
    ).not.toEqual([]);
    expect(
      told(
        tree,
        nested(10_000, (a) => ({ a })),
      ),
    ).not.toEqual([]);
  });

  test("a value as deep as arguments may be is checked to its end", () => {
    expect(
      told(
        list,
        nested(100, (next) => ({ next })),
      ),
    ).toEqual([]);
    expect(
      told(
        tree,
        nested(100, (item) => [{ item }], "leaf"),
      ),
    ).toEqual([]);
    expect(
      told(
        tree,
        nested(100, (item) => [item], 5),
      ),
    ).not.toEqual([]);
  });

  test("deep values that no schema looks into cost nothing, and compare without an overflow", () => {
    const deep = nested(100_000, (item) => [item]);
    expect(told({ type: "array" }, deep)).toEqual([]);
    expect(
      told(
        { const: deep },
        nested(100_000, (item) => [item]),
      ),
    ).toHaveLength(1);
    expect(told({ uniqueItems: true }, [deep, deep])).toEqual([]);
    expect(told({ enum: ["a"] }, deep)).toHaveLength(1);
  });

  test.each(["allOf", "not", "items", "properties"])(
    "a schema nested deeply in %s is an error",
    (keyword) => {
      const wrap = (inner: unknown): unknown => ({
        [keyword]: keyword === "allOf" ? [inner] : keyword === "properties" ? { a: inner } : inner,
      });
      const schema = wrap(nested(10_000, wrap)) as JsonSchema;
      expect(() => told(schema, {})).toThrow("nested too deeply");
    },
  );

  test("a schema is nested 300 levels at most", () => {
    const items = (inner: unknown): unknown => ({ items: inner });
    expect(told({ items: nested(299, items) }, [])).toEqual([]);
    expect(() => told({ items: nested(300, items) }, [])).toThrow("nested too deeply");
  });

  test("references lead through 1,000 levels of schemas, each counted with those above it", () => {
    const chain = { properties: { next: { $ref: "#" } } };
    const links = (count: number): unknown => nested(count, (next) => ({ next }));
    expect(told(chain, links(501))).toEqual([]);
    expect(told(chain, links(502))).toEqual(["is nested too deeply"]);
  });

  test("references through deep schemas end before the stack does", () => {
    const target = nested(250, (inner) => ({ allOf: [inner] }), { $ref: "#" }) as JsonSchema;
    expect(told(target, {})).toEqual(["is nested too deeply"]);
    const below = nested(250, (inner) => ({ properties: { a: inner } }), { $ref: "#" }) as JsonSchema;
    expect(
      told(
        below,
        nested(10_000, (a) => ({ a })),
      ),
    ).toEqual(["is nested too deeply"]);
  });
});

test.each<[string, JsonSchema]>([
  ["references are followed", { $ref: "#/$defs/any" }],
  ["alternatives are tried", { anyOf: [{}] }],
])("a million %s, and no more", (_title, items) => {
  const schema = { items, $defs: { any: {} } };
  expect(told(schema, Array(1_000_000).fill(1))).toEqual([]);
  expect(told(schema, Array(1_000_001).fill(1))).toEqual(["takes too long to check"]);
});

describe("repetition", () => {
  const doubling = (keyword: string, more: JsonSchema = {}): JsonSchema => ({
    $ref: "#/$defs/s0",
    $defs: Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => {
        const next = { $ref: `#/$defs/s${index + 1}` };
        return [`s${index}`, index === 59 ? {} : { [keyword]: [next, next], ...more }];
      }),
    ),
  });

  test.each(["allOf", "oneOf"])("references that double in %s end", (keyword) => {
    expect(told(doubling(keyword), {})).not.toEqual([]);
  });

  test("unevaluated members under references that double end", () => {
    expect(told(doubling("anyOf", { unevaluatedProperties: false }), { a: 1 })).not.toEqual([]);
  });
});

describe("odd schemas", () => {
  test("a reference to itself, an empty one and one that is not a URI are errors or issues, never hangs", () => {
    expect(told({ $ref: "#" }, 1)).toEqual(["is nested too deeply"]);
    expect(told({ $dynamicRef: "#", $dynamicAnchor: "" }, 1)).toEqual(["is nested too deeply"]);
    expect(() => told({ $ref: "http://[" }, 1)).toThrow('names nothing: "http://["');
    expect(() => told({ $ref: 5 }, 1)).toThrow('"$ref" must be a string');
    expect(() => told({ $ref: "#%" }, 1)).toThrow("names nothing");
  });

  test("identifiers that are not URIs, or occur twice, harm nothing", () => {
    expect(
      told(
        { $id: "http://[", properties: { a: { $ref: "#/$defs/a" } }, $defs: { a: { type: "null" } } },
        { a: 1 },
      ),
    ).toHaveLength(1);
    expect(told({ $id: "WeatherInput", type: "null" }, 1)).toHaveLength(1);
    expect(told({ $id: "a", properties: { b: { $id: "a", type: "null" } } }, { b: 1 })).toHaveLength(1);
  });

  test("keys of the prototype are keys like any other, in schemas and values", () => {
    const schema: JsonSchema = JSON.parse(
      '{"properties":{"__proto__":{"type":"string"}},"required":["__proto__"],"additionalProperties":false}',
    );
    expect(told(schema, JSON.parse('{"__proto__":"a"}'))).toEqual([]);
    expect(told(schema, {})).toEqual(["is required"]);
    expect(told(schema, JSON.parse('{"__proto__":"a","constructor":1}'))).toHaveLength(1);
    expect(told({ dependentRequired: { toString: ["a"] } }, {})).toEqual([]);
    expect(
      told({ properties: {}, unevaluatedProperties: false }, JSON.parse('{"__proto__":1}')),
    ).toHaveLength(1);
  });
});

describe("long lists of alternatives", () => {
  const count = 10_000;
  const list = <T>(item: (index: number) => T, length = count): T[] =>
    Array.from({ length }, (_, index) => item(index));
  const members = (entries: readonly (readonly [string, unknown])[]): object => Object.fromEntries(entries);

  test.each<[string, JsonSchema, unknown, boolean]>([
    ["texts", { items: { enum: list((index) => `v${index}`) } }, list((index) => `w${index}`), false],
    [
      "texts in other case",
      { items: { enum: list((index) => `v${index}`) } },
      list((index) => `V${index}`),
      true,
    ],
    ["objects, wrong", { items: { enum: list((a) => ({ a })) } }, list((a) => ({ a: -a - 1 })), false],
    ["objects, right", { items: { enum: list((a) => ({ a, b: 1 })) } }, list((a) => ({ b: 1, a })), true],
    [
      "tags",
      { items: { anyOf: list((k) => ({ properties: { k: { const: k } } })) } },
      list((k) => ({ k: k - 5e4 })),
      false,
    ],
    [
      "negated alternatives",
      { items: { not: { anyOf: list((k) => ({ const: k })) } } },
      list((k) => -1 - k),
      false,
    ],
    [
      "patterns of names",
      { patternProperties: members(list((index) => [`^z${index}`, {}])) },
      members(list((index) => [`k${index}`, 1])),
      false,
    ],
  ])("%s end", (_title, schema, value, isValid) => {
    expect(compileSchema(schema).validate(coerce(schema, value)).ok).toBe(isValid);
  });

  test("what cannot be checked does not fit, also within a negation", () => {
    const deep = nested(1_000, (next) => ({ next }));
    const schema = {
      not: { $ref: "#/$defs/a" },
      $defs: { a: { properties: { next: { $ref: "#/$defs/a" } } } },
    };
    expect(told(schema, deep)).toEqual(["is nested too deeply"]);
  });
});

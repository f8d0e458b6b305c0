import { describe, expect, test } from "vitest";
import {
  argumentDefaultsOf,
  defaultsOfParameters,
  mergeDefaults,
  withArgumentDefaults,
} from "./argument-defaults.ts";
import { compileSchema } from "./compile-schema.ts";
import type { ArgumentDefaults } from "./function-schema.ts";

const schema = compileSchema({ type: "object", properties: { n: { type: "number" } } });

/** What a function gets of a value. */
function filled(value: unknown, defaults: ArgumentDefaults): unknown {
  const validation = withArgumentDefaults(schema, defaults).validate(value);
  return validation.ok ? validation.value : validation.issues;
}

test("of parameters the defaults are by name, those of a sole object by its properties", () => {
  expect(
    defaultsOfParameters([
      { kind: "absent" },
      { kind: "context" },
      { kind: "property", name: "a" },
      { kind: "property", name: "b", default: { value: 1 } },
      { kind: "rest", name: "c", default: { isUnknown: true } },
      { kind: "object", default: { value: {}, properties: { d: { value: 2 } } } },
      { kind: "object", default: { value: {} } },
    ]),
  ).toEqual({ b: { value: 1 }, c: { isUnknown: true }, d: { value: 2 } });
});

test("of two defaults of one name the function's own counts, and what it does not say stays", () => {
  const merged = mergeDefaults(
    { a: { value: 1, type: "date" }, b: { value: 2 } },
    { a: { value: 3 }, c: {} },
  );
  expect(merged).toEqual({ a: { value: 3, type: "date" }, b: { value: 2 }, c: {} });
});

describe("what is left out", () => {
  test("is filled in, at any depth, and null is a value", () => {
    const defaults: ArgumentDefaults = {
      a: { value: 1 },
      b: { value: { c: 2 }, properties: { d: { value: 3 } } },
      list: { properties: { 1: { value: "second" } } },
      unknown: { isUnknown: true },
    };
    expect(filled({}, defaults)).toEqual({ a: 1, b: { c: 2, d: 3 } });
    expect(filled({ a: null, b: { d: 4 }, list: ["first"] }, defaults)).toEqual({
      a: null,
      b: { d: 4 },
      list: ["first", "second"],
    });
    expect(filled({ a: undefined, b: 7, list: "text" }, defaults)).toEqual({ a: 1, b: 7, list: "text" });
  });

  test("is revived, and new for each call", () => {
    const defaults: ArgumentDefaults = {
      at: { value: "2026-01-01T00:00:00Z", type: "date" },
      list: { value: [] },
    };
    const [one, other] = [Object(filled({}, defaults)), Object(filled({}, defaults))];
    expect(one.at).toEqual(new Date("2026-01-01T00:00:00Z"));
    expect(one.list === other.list).toBe(false);
  });

  test("is not put into the value that was checked", () => {
    const value = { b: {} };
    expect(filled(value, { b: { properties: { c: { value: 1 } } } })).toEqual({ b: { c: 1 } });
    expect(value).toEqual({ b: {} });
  });

  test("is also what the object only inherits", () => {
    expect(filled({}, { toString: { value: "own" } })).toEqual({ toString: "own" });
  });
});

test("a value that lacks nothing stays the same object, and what is wrong stays wrong", () => {
  const value = { n: 1 };
  expect(filled(value, { n: { value: 2 } })).toBe(value);
  expect(filled({ n: "x" }, { n: { value: 2 } })).toMatchObject([{ path: ["n"] }]);
});

test("without defaults a schema stays the same object; with some it has them", () => {
  expect(withArgumentDefaults(schema, {})).toBe(schema);
  const defaults = { n: { value: 1 } };
  expect(argumentDefaultsOf(withArgumentDefaults(schema, defaults))).toBe(defaults);
  expect(argumentDefaultsOf(schema)).toBeUndefined();
});

test("a schema that takes its time fills in as well", async () => {
  const slow = { ...schema, validateAsync: async (value: unknown) => schema.validate(value) };
  const { validateAsync } = withArgumentDefaults(slow, { n: { value: 1 } });
  expect(await validateAsync?.({})).toEqual({ ok: true, value: { n: 1 } });
  expect(withArgumentDefaults(schema, { n: { value: 1 } }).validateAsync).toBeUndefined();
});

import { describe, expect, test } from "vitest";
import { absenceProblems, memberProblems, propertyProblems, type OwnSchema } from "./schema-fit.ts";

const text = { type: "string" } as const;
const count = { type: "number" } as const;
const own = (outline: OwnSchema["outline"], more: Partial<OwnSchema> = {}): OwnSchema => ({
  outline,
  isLibrary: false,
  fillsDefaults: true,
  ...more,
});

describe("the members of an object fit", () => {
  test("where either side is not known", () => {
    const closed = { properties: { a: text }, required: ["a"], additionalProperties: false } as const;
    expect(memberProblems(closed, own({}))).toEqual([]);
    expect(
      memberProblems({ required: ["a"], additionalProperties: false }, own({ properties: { b: text } })),
    ).toEqual([]);
  });

  test("unless the function takes no others, needs more, or takes other types", () => {
    const got = own({ properties: { b: count, c: text } });
    expect(
      memberProblems({ properties: { a: text, b: text }, required: ["a"], additionalProperties: false }, got),
    ).toEqual([
      "the function takes no c",
      "it has no property a, which the function needs",
      "b is number, where the function takes string",
    ]);
    expect(memberProblems({ properties: { b: count } }, got)).toEqual([]);
    expect(
      memberProblems(
        { properties: {}, additionalProperties: false },
        own({ properties: { toString: text } }),
      ),
    ).toEqual(["the function takes no toString"]);
  });
});

describe("a property fits", () => {
  test("where it is not there, or one of its types is taken", () => {
    expect(propertyProblems("a", text, own({}))).toEqual([]);
    expect(propertyProblems("toString", text, own({ properties: {} }))).toEqual([]);
    expect(propertyProblems("a", text, own({ properties: { a: { type: ["null", "string"] } } }))).toEqual([]);
    expect(propertyProblems("a", { type: ["number", "string"] }, own({ properties: { a: text } }))).toEqual(
      [],
    );
    expect(propertyProblems("a", {}, own({ properties: { a: text } }))).toEqual([]);
    expect(
      propertyProblems(
        "a",
        { type: ["number", "null"] },
        own({ properties: { a: { type: ["string", "boolean"] } } }),
      ),
    ).toEqual(["a is string or boolean, where the function takes number or null"]);
  });

  test.each([
    ["date", "Date"],
    ["bigint", "bigint"],
    ["url", "URL"],
    ["base64", "Uint8Array"],
    ["set", "Set"],
    ["map", "Map"],
  ] as const)("unless it is JSON and a %s is taken", (revived, name) => {
    const problem = [`a is JSON, where the function takes a ${name}`];
    expect(propertyProblems("a", { revived }, own({ properties: { a: {} } }))).toEqual(problem);
    expect(propertyProblems("a", { revived }, own({ properties: { a: text } }, { isLibrary: true }))).toEqual(
      problem,
    );
    expect(propertyProblems("a", { revived }, own({ properties: { a: {} } }, { isLibrary: true }))).toEqual(
      [],
    );
  });

  test("within another one only where a library fills its defaults", () => {
    const inner = { properties: { b: { ...text, default: "x" } } };
    const declared = { properties: { b: text }, required: ["b"] };
    expect(propertyProblems("a", declared, own({ properties: { a: inner } }))).toEqual([
      "in a, it does not require b, which the function needs",
    ]);
    expect(propertyProblems("a", declared, own({ properties: { a: inner } }, { isLibrary: true }))).toEqual(
      [],
    );
  });
});

test("what a function needs is there where it is required, or has a default that is filled in", () => {
  expect(absenceProblems("a", own({}))).toEqual(["it has no property a, which the function needs"]);
  expect(absenceProblems("toString", own({ properties: {} }))).toHaveLength(1);
  expect(absenceProblems("a", own({ properties: { a: text }, required: ["a"] }))).toEqual([]);
  const withDefault = { properties: { a: { ...text, default: null } } };
  expect(absenceProblems("a", own(withDefault))).toEqual([]);
  const missing = ["it does not require a, which the function needs"];
  expect(absenceProblems("a", own(withDefault, { fillsDefaults: false }))).toEqual(missing);
  expect(absenceProblems("a", own({ properties: { a: text }, required: ["b"] }))).toEqual(missing);
});

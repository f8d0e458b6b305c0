import { describe, expect, test } from "vitest";
import { ConfigurationError } from "../errors.ts";
import type { ParameterPlan } from "../schema/function-schema.ts";
import { outlineInput, type InputOutline } from "../schema/input-outline.ts";
import type { JsonSchema } from "../schema/types.ts";
import { placeProperties } from "./place-properties.ts";
import type { Placement } from "./placement.ts";
import type { OwnSchema } from "./schema-fit.ts";

const context: ParameterPlan = { kind: "context" };
const property = (name: string): ParameterPlan => ({ kind: "property", name });

/** A closed object; a name that ends in `?` is optional. */
function object(members: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const entries = Object.entries(members).map(([name, schema]) => [name.replace("?", ""), schema] as const);
  const required = Object.keys(members).filter((name) => !name.endsWith("?"));
  return { type: "object", properties: Object.fromEntries(entries), required, additionalProperties: false };
}

const text: JsonSchema = { type: "string" };
const count: JsonSchema = { type: "integer" };

interface Own {
  readonly schema: JsonSchema;
  /** Of a library's schema: whether it says what it makes of its input. */
  readonly library?: "said" | "transformed";
}

function place(
  parameters: readonly ParameterPlan[],
  declared: JsonSchema,
  { schema, library }: Own,
): readonly Placement[] {
  const outline: InputOutline = outlineInput(schema);
  const own: OwnSchema = { outline, isLibrary: library !== undefined, fillsDefaults: true };
  return placeProperties({
    tool: "t",
    fn: "f",
    parameters,
    declared: outlineInput(declared, { "#/properties/when": "date" }),
    propertyNames: Object.keys(outline.properties ?? {}),
    own: library === "transformed" ? undefined : own,
  });
}

function shown(placements: readonly Placement[]): string {
  return placements.map((placement) => ("name" in placement ? placement.name : placement.kind)).join(", ");
}

const untyped: readonly [string, readonly ParameterPlan[], JsonSchema, string][] = [
  ["by name, in the parameters' order", [property("a"), property("b")], object({ b: text, a: text }), "a, b"],
  [
    "nothing for a parameter without a property",
    [property("a"), property("b")],
    object({ a: text }),
    "a, absent",
  ],
  [
    "the whole object where no name fits",
    [property("trip"), property("b")],
    object({ a: text }),
    "object, absent",
  ],
  ["the whole object after the context", [context, property("trip")], object({ a: text }), "context, object"],
  [
    "the whole object to a destructured parameter",
    [{ kind: "object" }, context],
    object({ a: text }),
    "object, context",
  ],
  ["a list to a rest parameter", [{ kind: "rest", name: "all" }], object({ all: {} }), "all"],
  ["the context alone", [context], object({}), "context"],
];

test.each(untyped)("where types say nothing, arguments are placed: %s", (_, parameters, schema, expected) => {
  expect(shown(place(parameters, {}, { schema }))).toBe(expected);
});

describe("types decide between the object and its properties by name", () => {
  const query = object({ query: object({ query: text, "page?": count }) });

  test.each([
    ["members are the whole object", query, object({ query: text }), "object"],
    ["also with those that are optional", query, object({ query: text, page: count }), "object"],
    [
      "an object that fits the parameter is its argument",
      query,
      object({ query: object({ query: text }) }),
      "query",
    ],
    ["an object of anything is, too", query, object({ query: { type: "object" } }), "query"],
    ["a text is not an object", object({ query: text }), object({ query: text }), "query"],
    ["what no parameter needs is left out", object({ "query?": text }), object({}), "absent"],
    ["no property is not a member", object({ "query?": object({ "query?": text }) }), object({}), "object"],
    [
      "members of a record are the whole object",
      object({ query: { type: "object" } }),
      object({ query: text }),
      "object",
    ],
  ])("%s", (_, declared, schema, expected) => {
    expect(shown(place([property("query")], declared, { schema }))).toBe(expected);
  });

  test("a schema that fits in both ways is an error that says what to write", () => {
    const nested = object({ p: object({ p: object({ "x?": text }) }) });
    const expected = {
      code: "invalid-tool",
      message:
        "The schema of the tool t fits its function f in two ways: its property p as the parameter p, and the whole object as that parameter. " +
        "Write which one: tool({ name, description, input, execute: ({ p }) => f(p) }), or execute: (p) => f(p).",
    };
    const schema = object({ p: { type: "object" } });
    expect(() => place([property("p")], nested, { schema })).toThrow(expect.objectContaining(expected));
    const anything = { type: "object" };
    expect(() => place([property("p")], object({ p: anything }), { schema })).toThrow(ConfigurationError);
  });

  test("a schema that fits in neither way is an error that names both", () => {
    const declared = object({ p: object({ a: text, b: count }) });
    const schema = object({ p: object({ a: text }) });
    expect(() => place([property("p")], declared, { schema })).toThrow(
      expect.objectContaining({
        code: "invalid-tool",
        message: [
          "The schema of the tool t does not fit its function f.",
          "  - by the names of its parameters: in p, it has no property b, which the function needs",
          "  - as the object p: the function takes no p; it has no property a, which the function needs; it has no property b, which the function needs",
          "Give it the properties p (required: p), or those of p, a, b (required: a, b), or write tool({ name, description, input, execute: (args, context) => ... }).",
        ].join("\n"),
      }),
    );
  });

  test("the whole object takes no argument from other parameters", () => {
    const parameters = [property("order"), property("note")];
    const order = object({ id: text });
    const optional = object({ order, "note?": text });
    expect(shown(place(parameters, optional, { schema: object({ id: text }) }))).toBe("object, absent");
    expect(() => place(parameters, optional, { schema: object({ id: text, note: text }) })).toThrow(
      /as the object order: note is a parameter of its own/,
    );
    expect(() => place(parameters, object({ order, note: text }), { schema: object({ id: text }) })).toThrow(
      /as the object order: nothing is left for note/,
    );
  });
});

describe("a schema that does not fit the function is refused", () => {
  const two = object({ a: text, b: count });
  const positional = [property("a"), property("b"), context];

  test.each([
    [
      "without a property that it needs",
      { schema: object({ a: text }) },
      "it has no property b, which the function needs",
    ],
    [
      "that does not require it",
      { schema: object({ a: text, "b?": count }) },
      "it does not require b, which the function needs",
    ],
    [
      "of other types",
      { schema: object({ a: count, b: text }) },
      "a is number, where the function takes string; b is string, where the function takes number",
    ],
    [
      "with a property that it does not take",
      { schema: object({ a: text, b: count, c: text }) },
      "the function takes no c",
    ],
    [
      "of a library whose output lacks what it needs",
      { schema: object({ q: text }), library: "said" as const },
      "the function takes no q; it has no property a, which the function needs; it has no property b, which the function needs",
    ],
  ])("%s", (_, own, problems) => {
    const message =
      `The schema of the tool t does not fit its function f: ${problems}. ` +
      "Give it the properties a, b (required: a, b), or write tool({ name, description, input, execute: (args, context) => ... }).";
    const data = { tool: "t", function: "f", problems: problems.split("; ") };
    const expected = expect.objectContaining({ code: "invalid-tool", message, data });
    expect(() => place(positional, two, own)).toThrow(expected);
    expect(() => place([{ kind: "object" }, context], two, own)).toThrow(expected);
  });

  test("of a function that needs nothing, the error lists what it takes", () => {
    expect(() => place([property("a")], object({ "a?": text }), { schema: object({ c: text }) })).toThrow(
      "Give it the properties a, or write",
    );
  });

  test.each([
    ["with a default for what it needs", object({ a: text, "b?": { ...count, default: 3 } })],
    ["of one type among several", object({ a: { type: ["string", "null"] }, b: { enum: [1, "two"] } })],
    ["of any type", object({ a: {}, b: { not: {} } })],
  ])("but not one %s", (_, schema) => {
    expect(shown(place(positional, two, { schema }))).toBe("a, b, context");
  });

  test("a value of JSON is not the Date that a parameter takes; a library may make one", () => {
    const declared = object({ when: text });
    const parameters = [property("when")];
    const schema = object({ when: text });
    const problem = /when is JSON, where the function takes a Date/;
    expect(() => place(parameters, declared, { schema })).toThrow(problem);
    expect(() => place(parameters, declared, { schema, library: "said" })).toThrow(problem);
    expect(() => place(parameters, declared, { schema: object({ when: {} }) })).toThrow(problem);
    expect(shown(place(parameters, declared, { schema: object({ when: {} }), library: "said" }))).toBe(
      "when",
    );
  });
});

describe("of a schema that may make anything of what a model writes, nothing is compared", () => {
  const library = "transformed";

  test.each([
    ["texts are found by their names", [property("a")], object({ a: text }), object({ q: text }), "a"],
    [
      "an object is the whole",
      [property("p")],
      object({ p: object({ a: text }) }),
      object({ q: text }),
      "object",
    ],
    ["as is a destructured one", [{ kind: "object" }], object({ a: text }), object({ q: text }), "object"],
  ] satisfies readonly [string, ParameterPlan[], JsonSchema, JsonSchema, string][])(
    "%s",
    (_, parameters, declared, schema, expected) => {
      expect(shown(place(parameters, declared, { schema, library }))).toBe(expected);
    },
  );

  test("one that has the name of an object is an error", () => {
    const declared = object({ p: object({ a: text }) });
    expect(() => place([property("p")], declared, { schema: object({ p: text }), library })).toThrow(
      /in two ways/,
    );
  });
});

import { expect, test } from "vitest";
import { describeFixture } from "./fixtures/describe-fixture.ts";

const described = await describeFixture("parts.ts");

/** The properties of a function's input in the fixture. */
function propertiesOf(name: string): unknown {
  const description = described.get(name);
  return description !== undefined && "inputSchema" in description
    ? description.inputSchema["properties"]
    : description;
}

test("@param list[].name speaks of a property of the list's elements", () => {
  const day = { type: "string", description: "A day.", minLength: 3 };
  const at = { type: "number", description: "An hour.", maximum: 23, default: 5 };
  const cell = { type: "string", description: "A cell.", minLength: 1 };
  const rows = { items: { items: { properties: { cell } } } };
  expect(propertiesOf("lists")).toMatchObject({
    trip: { properties: { list: { items: { properties: { day, at, rows } } } } },
    names: { items: { type: "string", description: "A name.", minLength: 2 } },
  });
  expect(described.get("lists")).not.toHaveProperty("warnings");
});

test("an entry for a destructured variable speaks of the property that it is taken from", () => {
  expect(propertiesOf("renamed")).toEqual({
    a: { type: "number", description: "The first.", minimum: 3 },
    b: { type: "string", description: "The other." },
    y: { type: "string", description: "The second." },
  });
});

test("brackets give no default to what must be given", () => {
  expect(propertiesOf("brackets")).toMatchObject({
    a: { type: "string", description: "The first." },
    b: { type: "number", description: "The second.", default: 4 },
    o: { properties: { c: { type: "number", description: "The third." } } },
  });
  expect(JSON.stringify(propertiesOf("brackets")).match(/default/g)).toHaveLength(1);
  expect(described.get("brackets")).toHaveProperty("warnings", [
    expect.stringContaining("@param [a=3] says that it may be left out, which its type does not"),
    expect.stringContaining("@param [o.c=5] says that it may be left out, which its type does not"),
  ]);
});

test("a comment on an element of a pattern speaks of the property that it takes", () => {
  const hours = {
    type: "array",
    description: "The hours",
    prefixItems: [
      { type: "number", description: "From", minimum: 7 },
      { type: "number", description: "Until", maximum: 20 },
    ],
    maxItems: 2,
  };
  expect(propertiesOf("elements")).toMatchObject({
    amount: { type: "number", description: "Amount in euros", minimum: 1 },
    to: { type: "string", description: "To whom.", minLength: 2, default: "me" },
    at: { properties: { day: { description: "The day", minLength: 3 }, hours } },
    more: { type: "number" },
  });
  expect(propertiesOf("elementsBeside")).toMatchObject({
    pay: {
      properties: {
        amount: { type: "number", description: "Amount", minimum: 1 },
        by: { type: "string", description: "By what", minLength: 2 },
      },
    },
  });
});

test("a constraint on an element that stands for no property of the type is left out with a warning", () => {
  expect(described.get("elements")).toHaveProperty("warnings", [
    expect.stringContaining("@maximum in the comment of ...others speaks of no property of the type"),
  ]);
  expect(described.get("elementsBeside")).toHaveProperty("warnings", [
    expect.stringContaining("@minimum in the comment of first speaks of no property of the type"),
  ]);
});

test("slashes around a @pattern are delimiters", () => {
  expect(propertiesOf("patterns")).toEqual({
    code: { type: "string", pattern: "^[A-Z]+$" },
    spans: { type: "string", pattern: String.raw`^a\/[/]$` },
    path: { type: "string", pattern: String.raw`\/users\/.\/` },
    any: { type: "string" },
    slash: { type: "string", pattern: String.raw`\/` },
  });
  expect(described.get("patterns")).toHaveProperty("warnings", [
    expect.stringContaining('parameter "any": @pattern has no flags, which "/^a$/i" ends with'),
  ]);
});

test("the default of a sole pattern as a whole is left out with a warning", () => {
  expect(described.get("whole")).toHaveProperty("warnings", [
    expect.stringContaining("its default as a whole is not used: write those of its properties"),
  ]);
  expect(described.get("whole")).toHaveProperty("inputSchema.required", ["city", "days"]);
  expect(described.get("each")).not.toHaveProperty("warnings");
});

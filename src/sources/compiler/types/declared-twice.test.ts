import { expect, test } from "vitest";
import { describeFixture } from "../fixtures/describe-fixture.ts";

const described = await describeFixture("declared-twice.ts");

/** The properties of the first parameter's type. */
function propertiesOf(name: string): unknown {
  const description = described.get(name);
  if (description === undefined || !("inputSchema" in description)) return description;
  expect(description.warnings).toBeUndefined();
  return description.inputSchema["properties"];
}

const amount = {
  type: "integer",
  description: "Amount in euros.\nAt most a hundred.",
  minimum: 1,
  maximum: 100,
};
const to = {
  type: "string",
  description: "Who gets it.",
  pattern: "^[A-Z]",
  allOf: [{ pattern: "[a-z]$" }],
};

test("what all members of an intersection say of a property holds", () => {
  expect(propertiesOf("intersected")).toMatchObject({ transfer: { properties: { amount, to } } });
  expect(propertiesOf("partial")).toMatchObject({ transfer: { properties: { amount, to } } });
  expect(propertiesOf("reversed")).toMatchObject({
    transfer: { properties: { amount: { type: "integer", description: "Small.", maximum: 100 } } },
  });
  expect(propertiesOf("ofLibrary")).toMatchObject({
    failure: { properties: { message: { type: "string", description: "What failed.", minLength: 1 } } },
  });
});

test("what all declarations of an interface say of a property holds", () => {
  expect(propertiesOf("reopened")).toMatchObject({
    entry: { properties: { key: { description: "The key.", minLength: 2, maxLength: 5 } } },
  });
});

test("a comment lets through no more than a type or another comment does", () => {
  expect(propertiesOf("loosened")).toMatchObject({
    transfer: { properties: { amount: { description: "Euros.", minimum: 1, maximum: 5000 } } },
    list: { minItems: 2, maxItems: 2 },
    id: { pattern: "^a[\\s\\S]*$", allOf: [{ pattern: "7$" }] },
  });
});

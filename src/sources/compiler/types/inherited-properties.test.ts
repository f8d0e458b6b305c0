import { expect, test } from "vitest";
import { describeFixture } from "../fixtures/describe-fixture.ts";

const described = await describeFixture("inherited-properties.ts");

/** The properties of a function's input in the fixture. */
function propertiesOf(name: string): unknown {
  const description = described.get(name);
  return description !== undefined && "inputSchema" in description
    ? description.inputSchema["properties"]
    : description;
}

const count = { type: "number", description: "How many.", minimum: 5 };

test("a property that is declared again without a comment keeps the one above it", () => {
  const whole = { properties: { count } };
  expect(propertiesOf("again")).toMatchObject({
    sub: whole,
    implementing: whole,
    extending: whole,
    both: whole,
    bare: whole,
    partial: whole,
  });
});

test("a comment of its own says all", () => {
  expect(propertiesOf("other")).toMatchObject({
    own: { properties: { count: { type: "number", description: "My own." } } },
    generic: { properties: { count, value: { type: "number", description: "A value.", maximum: 9 } } },
  });
  expect(JSON.stringify(propertiesOf("other")).match(/minimum/g)).toHaveLength(1);
});

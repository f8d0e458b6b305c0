import { expect, test } from "vitest";
import { describeFixture } from "../fixtures/describe-fixture.ts";

const described = await describeFixture("named-types.ts");

/** The properties of a function's input in the fixture. */
function propertiesOf(name: string): unknown {
  const description = described.get(name);
  return description !== undefined && "inputSchema" in description
    ? description.inputSchema["properties"]
    : description;
}

const city = { type: "string", description: "A city.", minLength: 2 };
const level = { type: "integer", description: "A level.", minimum: 1, maximum: 5 };

test("constraints in the comment of a named type hold wherever it is written", () => {
  expect(propertiesOf("named")).toEqual({
    city,
    port: { type: "string", description: "A port.", minLength: 2, maxLength: 9 },
    cities: { type: "array", description: "Some cities.", items: city, minItems: 1 },
    some: { type: "array", description: "At least one.", items: city, minItems: 1 },
    level,
    maybe: { ...city, type: ["string", "null"] },
    either: { anyOf: [city, { type: "number" }] },
  });
  expect(propertiesOf("within")).toMatchObject({
    order: {
      properties: {
        from: city,
        to: { type: "string", description: "To.", minLength: 3 },
        stops: { type: "array", items: level },
      },
    },
  });
  expect(described.get("named")).not.toHaveProperty("warnings");
});

test("one that does not suit its type is left out with a warning", () => {
  expect(described.get("unsuitable")).toHaveProperty("warnings", [
    expect.stringContaining('parameter "value": @minLength says nothing about its type, which is not string'),
  ]);
});

test("a function's comment says nothing of a type that has its name, a constant's does", () => {
  expect(propertiesOf("sameNames")).toEqual({
    cents: { type: "number", description: "In cents." },
    euros: { type: "number" },
    shade: { type: "string", description: "A shade.", enum: ["dark", "light"] },
  });
});

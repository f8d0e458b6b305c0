import { expect, test } from "vitest";
import { describeFixture } from "../fixtures/describe-fixture.ts";

const described = await describeFixture("impossible.ts");

function inputOf(name: string): unknown {
  const description = described.get(name);
  return description !== undefined && "inputSchema" in description ? description.inputSchema : description;
}

test("a member of a union that no value can have is left out", () => {
  const circle = {
    type: "object",
    properties: { kind: { type: "string", const: "circle" }, radius: { type: "number" } },
    required: ["kind", "radius"],
    additionalProperties: false,
  };
  expect(inputOf("narrowed")).toMatchObject({ properties: { shape: circle, list: { type: "array" } } });
  expect(JSON.stringify(inputOf("narrowed"))).not.toContain("{}");
  const text = { type: "string" };
  expect(inputOf("beside")).toMatchObject({
    properties: { value: text, byName: { type: "object", additionalProperties: text } },
  });
});

test("a type that no value can have is refused where it is required, and left out elsewhere", () => {
  expect(inputOf("alone")).toMatchObject({
    message: expect.stringContaining("no value has the type never"),
  });
  expect(inputOf("within")).toEqual({
    type: "object",
    properties: {
      value: {
        type: "object",
        properties: { id: { type: "string" } },
        required: ["id"],
        additionalProperties: false,
      },
    },
    required: ["value"],
    additionalProperties: false,
  });
});

test("private members of a class are nothing that a model writes, whatever stands around the class", () => {
  for (const name of ["hiddenInIntersection", "hiddenInInterface"])
    expect(inputOf(name)).toMatchObject({
      message: expect.stringMatching(/private or protected "(?:balance|limit)" cannot be made from JSON/),
    });
  expect(inputOf("publicPart")).toMatchObject({
    properties: { account: { properties: { owner: { type: "string" }, note: { type: "string" } } } },
  });
  expect(JSON.stringify(inputOf("publicPart"))).not.toMatch(/balance|limit/);
});

test.each(["protoArgument", "protoOptional", "protoProperty", "protoApart"])(
  "an argument whose name is dropped from every call is refused: %s",
  (name) => {
    expect(inputOf(name)).toMatchObject({
      message: expect.stringContaining('named "__proto__" is dropped from every call: rename it'),
    });
  },
);

test("quotes around a pattern are reported, not taken as a part of it", () => {
  expect(described.get("quotedPattern")).toMatchObject({
    inputSchema: {
      properties: {
        id: { type: "string", description: "The id" },
        code: { pattern: '"[a-z]+"' },
      },
    },
    warnings: [
      expect.stringContaining(
        '@pattern has quotes around it: write @pattern ^[a-z]+$, or /"^[a-z]+$"/ where the values have them',
      ),
      expect.stringContaining("@pattern has quotes"),
    ],
  });
  expect(inputOf("quotedPattern")).not.toHaveProperty("properties.id.pattern");
});

test("an object that is returned may be a list, and any value that is written as text", () => {
  expect(described.get("anyObject")).not.toHaveProperty("outputSchema");
  expect(described.get("withObject")).toMatchObject({ outputSchema: { properties: { of: {}, empty: {} } } });
});

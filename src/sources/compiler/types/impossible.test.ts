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

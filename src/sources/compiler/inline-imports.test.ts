import { expect, test } from "vitest";
import { describeFixture } from "./fixtures/describe-fixture.ts";

const typed = await describeFixture("inline-imports.ts");
const plain = await describeFixture("inline-imports.js");

const amount = { type: "number", description: "An amount.", minimum: 1, maximum: 100 };
const name = { type: "string", description: "A name.", pattern: "^[a-z]+$" };

test("constraints of a type hold where its file is named with it", () => {
  expect(typed.get("imported")).toHaveProperty("inputSchema.properties", {
    amount,
    list: { type: "array", items: name },
    maybe: { ...amount, type: ["number", "null"] },
    limit: { anyOf: [amount, { type: "string", const: "none" }] },
    order: {
      type: "object",
      properties: { price: amount },
      required: ["price"],
      additionalProperties: false,
    },
  });
  expect(typed.get("imported")).not.toHaveProperty("warnings");
  expect(plain.get("pay")).toHaveProperty("inputSchema.properties", { amount, to: name });
  expect(plain.get("pay")).not.toHaveProperty("warnings");
});

test("where a type is made of others, the constraints that are lost are named", () => {
  const places = ["budget", "chosen", "standard", "beside", "rates", "parameter", "returned"];
  expect(typed.get("composed")).toHaveProperty(
    "warnings",
    places.map((place): unknown =>
      expect.stringContaining(`parameter "${place}": the constraints of Amount are left out`),
    ),
  );
});

test("no warning names what counts", () => {
  expect(typed.get("whole")).not.toHaveProperty("warnings");
});

test("what any part of an intersection, or any base, says of a property holds", () => {
  const bounded = { minimum: 1, maximum: 100 };
  const description = typed.get("joined");
  const properties =
    description !== undefined && "inputSchema" in description && description.inputSchema["properties"];
  expect(properties).toMatchObject({
    first: { properties: { amount: bounded } },
    second: { properties: { amount: bounded, text: { type: "string" } } },
    third: { properties: { amount: { minimum: 3, maximum: 100 } } },
    both: { properties: { amount: bounded } },
    guest: { properties: { email: { format: "email" } } },
    parted: { properties: { amount: { type: "number" } } },
  });
  expect(JSON.stringify(properties)).not.toMatch(/"parted":.*minimum/);
  expect(typed.get("joined")).toHaveProperty("warnings", [
    expect.stringContaining(
      "the constraints of Amount are left out, since they hold for a part of the union alone",
    ),
  ]);
});

test("a type parameter has the constraints of what it extends", () => {
  expect(typed.get("open")).toHaveProperty("inputSchema.properties", {
    value: amount,
    list: { type: "array", items: amount },
    safe: amount,
  });
  expect(typed.get("open")).not.toHaveProperty("warnings");
});

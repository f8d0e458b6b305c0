import { expect, test } from "vitest";
import { describeFixture } from "./fixtures/describe-fixture.ts";

const described = await describeFixture("typedefs.js");

test("the comment of a @typedef speaks of its type", () => {
  const euros = { type: "number", description: "Amount in euros.", minimum: 1, maximum: 100 };
  expect(described.get("pay")).toHaveProperty("inputSchema.properties", {
    euros,
    to: { type: "array", description: "Addresses.", items: { type: "string" }, minItems: 1 },
    code: {
      anyOf: [
        { type: "string", description: "Digits.", pattern: String.raw`^\d+$` },
        { type: "string", const: "none" },
      ],
    },
    name: { type: "string", maxLength: 9 },
    order: {
      type: "object",
      description: "An order.",
      properties: { price: euros, count: { type: "number", description: "How many", minimum: 2 } },
      required: ["price", "count"],
      additionalProperties: false,
    },
  });
  expect(described.get("pay")).not.toHaveProperty("warnings");
});

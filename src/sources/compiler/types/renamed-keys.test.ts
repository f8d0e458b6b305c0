import { expect, test } from "vitest";
import { describeFixture } from "../fixtures/describe-fixture.ts";

const described = await describeFixture("renamed-keys.ts");
const amount = { type: "number", description: "How many", minimum: 1 };
const owner = { type: "string", description: "Whose", minLength: 2 };

test("properties whose keys a mapped type renames keep their comments and constraints", () => {
  expect(described.get("fresh")).toMatchObject({
    inputSchema: {
      properties: {
        row: { properties: { newAmount: amount, newOwner: owner }, required: ["newAmount"] },
        upper: { properties: { AMOUNT: amount, OWNER: owner } },
        inner: { properties: { newAmount: amount, newOwner: owner } },
      },
    },
  });
  expect(described.get("written")).toMatchObject({
    inputSchema: { properties: { row: { properties: { amount_: amount, owner_: owner } } } },
  });
  for (const name of ["fresh", "written"]) expect(described.get(name)).not.toHaveProperty("warnings");
});

test("there is a warning where constraints are lost, since it cannot be seen what the keys were", () => {
  const message = "its keys are renamed, and which of them @minimum speaks of cannot be seen";
  expect(described.get("unseen")).toMatchObject({
    inputSchema: { properties: { one: { properties: { count: { type: "number" } } } } },
    warnings: [
      expect.stringContaining(`parameter "one": ${message}`),
      expect.stringContaining(`parameter "both": ${message}`),
    ],
  });
});

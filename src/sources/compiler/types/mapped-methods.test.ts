import { expect, test } from "vitest";
import { describeFixture } from "../fixtures/describe-fixture.ts";

const described = await describeFixture("mapped-methods.ts");

test("a mapped type that is made of the methods of a library's class is refused", () => {
  expect(described.get("dates")).toHaveProperty(
    "message",
    expect.stringMatching(/parameter "patch": .*methods of Date is not JSON: take Date itself/),
  );
  expect(described.get("required")).toHaveProperty(
    "message",
    expect.stringMatching(/parameter "order.at": .*methods of Date/),
  );
});

test("an optional one is left out, with a warning", () => {
  const within = described.get("within");
  expect(within).toMatchObject({
    inputSchema: {
      properties: {
        patch: {
          properties: { n: { type: "number" }, places: { properties: { size: { type: "number" } } } },
        },
      },
    },
    warnings: [expect.stringContaining("methods of Date"), expect.stringContaining("methods of URL")],
  });
  expect(JSON.stringify(within)).not.toContain('"at"');
});

test("shapes of libraries are described", () => {
  expect(described.get("shapes")).toMatchObject({
    inputSchema: { properties: { patch: { type: "object" }, error: { type: "object" } } },
  });
  expect(described.get("shapes")).not.toHaveProperty("warnings");
});

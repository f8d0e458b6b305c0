import { expect, test } from "vitest";
import { describeFixture } from "../fixtures/describe-fixture.ts";

const described = await describeFixture("numbered.ts");

test("the names of numbers are in their descriptions, after what is written there", () => {
  const step = { type: "number", description: "-1: Back, 1: Forth", enum: [-1, 1] };
  const volume = { type: "number", enum: [0, 10] };
  expect(described.get("numbers")).toMatchObject({
    inputSchema: {
      properties: {
        own: { ...volume, description: "How loud. 0: Low, 10: High" },
        tagged: { ...volume, description: "The alarm's volume. 0: Low, 10: High" },
        bare: step,
        some: { description: "1: Forth", type: ["number", "null"], enum: [1, null] },
        move: {
          properties: {
            step: { ...step, description: "Where to. -1: Back, 1: Forth" },
            other: { ...step, description: "-1: Down, 1: Up" },
          },
        },
        either: { anyOf: [step, { type: "array", items: { type: "string" } }] },
        mixed: { type: ["number", "string"], description: "0: No", enum: [0, "YES"] },
        single: { type: "number", description: "3: Only", const: 3 },
        texts: { type: "string", enum: ["step", "other"] },
      },
    },
    outputSchema: step,
  });
  expect(described.get("numbers")).not.toHaveProperty("inputSchema.properties.texts.description");
});

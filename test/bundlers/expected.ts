import { expect } from "vitest";
import type { Results } from "./projects.ts";

const distance = {
  name: "distance",
  description: "Measure a distance.",
  inputSchema: {
    type: "object",
    properties: {
      from: { type: "string", description: "Where it begins" },
      to: { type: "string" },
      unit: { type: "string", enum: ["km", "mi"] },
    },
    required: ["from", "to"],
    additionalProperties: false,
  },
};

/** Holds what was built to what development says, and to what declarations say. */
export function expectAlike(built: Results, development: Results): void {
  expect(Object.keys(development.shapes).length).toBeGreaterThan(15);
  expect(built.shapes).toEqual(development.shapes);
  expect(built.declared).toMatchObject({
    function: [distance],
    bag: [{ name: "weigh", description: "Weigh a thing.", inputSchema: { required: ["thing"] } }],
  });
}

import { expect, test } from "vitest";
import { describeFixture } from "./fixtures/describe-fixture.ts";

const described = await describeFixture("outputs.ts");

/** The output schema of a function in the fixture. */
function outputOf(name: string): unknown {
  const description = described.get(name);
  return description !== undefined && "inputSchema" in description ? description.outputSchema : description;
}

test("what a promise comes to is described as it is written as JSON, and may have more properties", () => {
  expect(outputOf("report")).toEqual({
    type: "object",
    properties: {
      at: { type: "string", description: "When it was made.", format: "date-time" },
      lines: { type: "object", additionalProperties: { type: "string", pattern: "^-?(?:0|[1-9]\\d*)$" } },
    },
    required: ["at", "lines"],
  });
});

test("an instance of a class is its fields, unless it says itself how it is written", () => {
  expect(outputOf("account")).toEqual({
    type: "object",
    properties: { id: { type: "string" } },
    required: ["id"],
  });
  const cents = { type: "object", properties: { cents: { type: "number" } }, required: ["cents"] };
  expect(outputOf("money")).toEqual({ type: "array", items: cents });
});

test("without an annotation, the result is what the body returns", () => {
  expect(outputOf("inferred")).toEqual({
    type: "object",
    properties: {
      label: { type: "string" },
      gone: { type: "number" },
    },
    required: ["label"],
  });
});

test("undefined in a list is null, and an error is its name and its message", () => {
  expect(outputOf("holes")).toEqual({ type: "array", items: { type: ["number", "null"] } });
  expect(outputOf("failure")).toEqual({
    type: "object",
    properties: { name: { type: "string" }, message: { type: "string" } },
    required: ["name", "message"],
  });
});

test("a recursive result brings its definition, and a generator is what it returns", () => {
  const folders = { type: "array", items: { $ref: "#/$defs/Folder" } };
  expect(outputOf("folder")).toEqual({
    $ref: "#/$defs/Folder",
    $defs: { Folder: { type: "object", properties: { folders }, required: ["folders"] } },
  });
  expect(outputOf("steps")).toEqual({ type: "string", const: "done" });
});

test("a result that may be nothing, anything, a function or a handoff has no schema, and no warning", () => {
  for (const name of ["nothing", "maybe", "anything", "action", "handoff", "more", "endless"]) {
    expect(described.get(name)).toMatchObject({ name, inputSchema: {} });
    expect(described.get(name)).not.toHaveProperty("outputSchema");
    expect(described.get(name)).not.toHaveProperty("warnings");
  }
});

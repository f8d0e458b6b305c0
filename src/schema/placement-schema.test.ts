import { expect, test } from "vitest";
import type { FunctionSchema } from "./function-schema.ts";
import { toPlacementSchema } from "./placement-schema.ts";

const schema: FunctionSchema = {
  name: "book",
  inputSchema: { type: "object", properties: { city: { type: "string", minLength: 1 } }, required: ["city"] },
  parameters: [{ kind: "property", name: "city" }],
};

test("what places arguments is kept, and what limits them is not", () => {
  expect(toPlacementSchema(schema)).toStrictEqual({
    ...schema,
    inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    placementOnly: true,
  });
});

test("what the comment says is kept as it is, also where it says nothing", () => {
  const described = { ...schema, description: "", deprecated: true, thisType: "Desk" } as const;
  expect(toPlacementSchema(described)).toMatchObject({
    description: "",
    deprecated: true,
    thisType: "Desk",
  });
});

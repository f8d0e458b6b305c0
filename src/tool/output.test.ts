import { expect, test } from "vitest";
import { z } from "zod";
import { attach } from "../schema/attach/attach.ts";
import { assertOutput, isOutputType, output } from "./output.ts";
import { outputSchema } from "./output-schema.ts";

interface Invoice {
  readonly total: number;
}

test.each([undefined, {}, z.string(), () => 1])("%o may be an output", (value) => {
  expect(() => assertOutput(value as never, "the agent A")).not.toThrow();
});

test.each([null, "text", 7])("%o cannot be an output", (value) => {
  expect(() => assertOutput(value as never, "the agent A")).toThrow(
    expect.objectContaining({
      code: "invalid-option",
      data: { option: "output" },
      message: expect.stringContaining("The output of the agent A must be a schema"),
    }),
  );
});

test("only output() makes a type of one's own", () => {
  expect(isOutputType(output<Invoice>())).toBe(true);
  expect([isOutputType({}), isOutputType({ calledAt: "here" })]).toEqual([false, false]);
  expect(output<Invoice>().calledAt.message).toBe("output() was called here");
});

test("the schema of a type is that of its call, found once", async () => {
  const type = output<Invoice>();
  const found = await outputSchema(type, "the output");
  expect(found.schema.jsonSchema).toMatchObject({ properties: { total: { type: "number" } } });
  expect(found.warnings).toEqual([]);
  expect(outputSchema(type, "the output")).toBe(outputSchema(type, "the output"));
});

test("what a build has attached counts, with what it revives and warns of", async () => {
  const inputSchema = { type: "object", properties: { when: { type: "string", format: "date-time" } } };
  const schema = {
    name: "",
    inputSchema,
    parameters: [],
    revive: { "#/properties/when": "date" },
    warnings: ["is odd"],
  };
  const found = await outputSchema(attach(output<Date>(), JSON.stringify(schema)), "the output");
  expect(found.warnings).toEqual(["is odd"]);
  const validation = found.schema.validate({ when: "2026-01-02T03:04:05Z" });
  expect(validation).toEqual({ ok: true, value: { when: new Date("2026-01-02T03:04:05Z") } });
  const plain = attach(output<Date>(), JSON.stringify({ name: "", inputSchema, parameters: [] }));
  expect((await outputSchema(plain, "x")).schema.validate({ when: "2026-01-02T03:04:05Z" })).toEqual({
    ok: true,
    value: { when: "2026-01-02T03:04:05Z" },
  });
});

test("a schema that is not a type is used as it is, and a failure is not remembered", async () => {
  expect(await outputSchema({ type: "string" }, "the output")).toMatchObject({
    schema: { jsonSchema: { type: "string" } },
    warnings: [],
  });
  const lost = { calledAt: new Error("somewhere else") };
  const first = outputSchema(lost, "the output");
  await expect(first).rejects.toMatchObject({ code: "schema-not-found" });
  const second = outputSchema(lost, "the output");
  expect(second).not.toBe(first);
  await expect(second).rejects.toMatchObject({ code: "schema-not-found" });
});

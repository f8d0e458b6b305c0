import type { StandardSchemaV1 } from "@standard-schema/spec";
import { expectTypeOf, test } from "vitest";
import { z } from "zod";
import { fromStandardSchema, type StandardSchema } from "./standard-schema.ts";
import type { Schema } from "./types.ts";

test("accepts every schema with the official interface", () => {
  expectTypeOf<StandardSchemaV1<string, number>>().toExtend<StandardSchema<string, number>>();
  expectTypeOf<StandardSchemaV1<string, number>>().toExtend<StandardSchema<unknown, number>>();
  expectTypeOf<StandardSchemaV1<string, number>>().not.toExtend<StandardSchema<unknown, string>>();
});

test("the output is the type of the value, not the input", () => {
  const schema = fromStandardSchema(
    z.object({ days: z.string().transform(Number), unit: z.string().default("C") }),
  );
  expectTypeOf(schema).toEqualTypeOf<Schema<{ days: number; unit: string }>>();
});

import { invalidOption } from "../base/options/known-options.ts";
import type { StandardSchema } from "../schema/standard-schema.ts";
import type { JsonSchema } from "../schema/types.ts";
import { keepRawFrames } from "../base/util/frames.ts";

/** Marks calls of `output`, for the compiler. It is never set on a value. */
declare const outputType: unique symbol;

/** A TypeScript type as the form of an answer, made by `output<T>()`. */
export interface OutputType<T = unknown> {
  /** Where `output` was called: the compiler reads the type there. */
  readonly calledAt: Error;
  readonly [outputType]?: T;
}

/**
 * The form of an answer: a JSON Schema, a schema of zod, valibot, arktype or any other Standard Schema, or a TypeScript type as
 * `output<Invoice>()`.
 */
export type Output<O = unknown> = JsonSchema | StandardSchema<unknown, O> | OutputType<O>;

/**
 * A plain TypeScript type as the form of an answer: `new Agent({ ..., output: output<Invoice>() })`. Write the type where
 * you call it: that is where the compiler reads it, when the program runs or when it is built (`skein/plugin`).
 */
export function output<T = never>(): OutputType<T> {
  const calledAt = new Error("output() was called here");
  keepRawFrames(calledAt, output, 1);
  return { calledAt };
}

/** Whether it was made by `output`. */
export function isOutputType(value: object): value is OutputType {
  return "calledAt" in value && value.calledAt instanceof Error;
}

/** @throws ConfigurationError for a value that is not an object, and so not a schema. */
export function assertOutput(value: Output | undefined, place: string): void {
  if (value === undefined || typeof value === "function" || (typeof value === "object" && value !== null))
    return;
  throw invalidOption(
    `The output of ${place} must be a schema: a JSON Schema, a zod, valibot or arktype schema, or output<YourType>().`,
    { option: "output" },
  );
}

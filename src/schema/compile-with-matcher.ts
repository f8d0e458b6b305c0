import { compileSchema } from "./compile-schema.ts";
import { matchLinear } from "./patterns/match-linear.ts";
import { provideMatcher } from "./patterns/pattern.ts";
import type { CompileOptions, JsonSchema, Schema } from "./types.ts";

/** As `compileSchema`, for programs that validate at once whatever the schemas of others say, and so load the matcher with themselves. */
export function compileWithMatcher<T = unknown>(jsonSchema: JsonSchema, options?: CompileOptions): Schema<T> {
  provideMatcher(matchLinear);
  return compileSchema<T>(jsonSchema, options);
}

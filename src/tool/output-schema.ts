import { SchemaNotFoundError } from "../errors.ts";
import { knownSchema, rememberSchema } from "../schema/attach/schemas.ts";
import { compileSchema } from "../schema/compile-schema.ts";
import type { FunctionSchema } from "../schema/function-schema.ts";
import { revived } from "../schema/revive.ts";
import type { Schema } from "../schema/types.ts";
import { toSchema } from "./define.ts";
import { loadReflection } from "./load-reflection.ts";
import { isOutputType, type Output, type OutputType } from "./output.ts";

/** The schema of an answer, resolved. */
export interface ResolvedOutput {
  readonly schema: Schema;
  /** What the schema says only in part, one sentence each. */
  readonly warnings: readonly string[];
}

const schemas = new WeakMap<object, Promise<ResolvedOutput>>();

/**
 * The schema of an answer's form, found once.
 * @param place names it in errors.
 * @throws SchemaNotFoundError, ConfigurationError
 */
export function outputSchema(output: Output, place: string): Promise<ResolvedOutput> {
  const schema = schemas.get(output) ?? resolveOutput(output, place);
  schemas.set(output, schema);
  // A failure is not cached: it may be fixed before the next read.
  schema.catch(() => schemas.delete(output));
  return schema;
}

async function resolveOutput(output: Output, place: string): Promise<ResolvedOutput> {
  if (!isOutputType(output)) return { schema: toSchema(output, place), warnings: [] };
  const { inputSchema, revive, warnings = [] } = knownSchema(output) ?? (await reflect(output));
  const schema = compileSchema(inputSchema);
  return { schema: revive ? revived(schema, revive) : schema, warnings };
}

async function reflect(output: OutputType): Promise<FunctionSchema> {
  const { describeOutput } = await loadReflection();
  const finding = await describeOutput(output.calledAt);
  if (finding instanceof SchemaNotFoundError) throw finding;
  rememberSchema(output, finding);
  return finding;
}

import { SchemaNotFoundError } from "../errors.ts";
import { knownSchema, rememberSchema } from "../attach/schemas.ts";
import { compileSchema } from "../schema/compile-schema.ts";
import type { FunctionSchema } from "../schema/function-schema.ts";
import { revived } from "../schema/revive.ts";
import type { Schema } from "../schema/types.ts";
import { toSchema } from "./define.ts";
import { isOutputType, type Output, type OutputType } from "./output.ts";

const known = new WeakMap<object, Promise<Schema>>();

/**
 * The schema of an answer's form, found once.
 * @param place names it in errors.
 * @throws SchemaNotFoundError, ConfigurationError
 */
export function outputSchema(output: Output, place: string): Promise<Schema> {
  const found = known.get(output) ?? find(output, place);
  known.set(output, found);
  // What is mended later shall be found later.
  found.catch(() => known.delete(output));
  return found;
}

async function find(output: Output, place: string): Promise<Schema> {
  if (!isOutputType(output)) return toSchema(output, place);
  const { inputSchema, revive } = knownSchema(output) ?? (await reflect(output));
  const schema = compileSchema(inputSchema);
  return revive ? revived(schema, revive) : schema;
}

async function reflect(output: OutputType): Promise<FunctionSchema> {
  const { describeOutput } = await import("#reflection");
  const found = await describeOutput(output.calledAt);
  if (found instanceof SchemaNotFoundError) throw found;
  rememberSchema(output, found);
  return found;
}

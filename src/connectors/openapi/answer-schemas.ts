import { compileWithMatcher } from "../../schema/compile-with-matcher.ts";
import type { Schema } from "../../schema/types.ts";
import { defineOwn } from "../../base/util/snapshot.ts";
import { SchemaConverter } from "./convert-schema.ts";
import type { Operation } from "./types.ts";

/** Finds the schemas of JSON answers, each made when it is first needed. */
export function answerSchemas(root: unknown): (operation: Operation, status: number) => Schema | undefined {
  const converter = new SchemaConverter(root, { direction: "response", files: false });
  const compiledSchemas = new WeakMap<Operation, Map<string, Schema>>();
  return (operation, status) => {
    const { responses } = operation;
    const key = [String(status), `${Math.floor(status / 100)}XX`, "DEFAULT"].find((each) =>
      responses.has(each),
    );
    if (key === undefined) return undefined;
    const schemas = compiledSchemas.get(operation) ?? new Map<string, Schema>();
    compiledSchemas.set(operation, schemas);
    const schema = schemas.get(key) ?? compiled(converter, responses.get(key));
    schemas.set(key, schema);
    return schema;
  };
}

function compiled(converter: SchemaConverter, documented: unknown): Schema {
  const { schema, uses } = converter.convert(documented);
  const definitions: Record<string, unknown> = {};
  const wanted = new Set(uses);
  // A set that grows while it is walked.
  for (const name of wanted) {
    const definition = converter.definition(name);
    defineOwn(definitions, name, definition.schema);
    for (const next of definition.uses) wanted.add(next);
  }
  return compileWithMatcher({ allOf: [schema], $defs: definitions });
}

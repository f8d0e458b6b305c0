import type { FunctionSchema } from "../schema/function-schema.ts";
import type { SchemaNotFoundError } from "../errors.ts";
import { notFound, typeNotFound } from "./failures.ts";

const reason = "this runtime cannot tell where a function's source is (Bun, an edge runtime or a browser)";

/** Stands in for reflection on runtimes without V8's inspector: every answer is an error that names the remedies. */
export function describeFunctions(
  functions: readonly Function[],
): Promise<readonly (FunctionSchema | SchemaNotFoundError)[]> {
  return Promise.resolve(functions.map((fn) => notFound(fn, reason)));
}

/** Likewise for the types of `output`. */
export function describeOutput(_calledAt: Error): Promise<FunctionSchema | SchemaNotFoundError> {
  return Promise.resolve(typeNotFound(reason));
}

import { isObject } from "../base/util/json.ts";
import type { StandardIssue, StandardResult, StandardSchema } from "./standard-types.ts";

/**
 * Validates with a library's schema.
 *
 * Zod does so by its own method, which all its versions have: what it gives to Standard Schema (`~standard.validate`) first tries to
 * validate synchronously. An asynchronous check then runs twice, and the first promise is dropped: its rejection would end the process.
 *
 * @throws what a check throws or rejects with
 */
export async function validateStandard<Output>(
  schema: StandardSchema<unknown, Output>,
  value: unknown,
): Promise<StandardResult<Output>> {
  const parse = isZod(schema) && "safeParseAsync" in schema ? schema.safeParseAsync : undefined;
  if (typeof parse !== "function") return schema["~standard"].validate(value);
  return toResult(await Reflect.apply(parse, schema, [value]));
}

/**
 * Validates with a library's schema at once. `undefined` if it can answer only later.
 *
 * @throws what a check throws
 */
export function validateNow<Output>(
  schema: StandardSchema<unknown, Output>,
  value: unknown,
): StandardResult<Output> | undefined {
  if (isZod(schema) && isLater(schema, value)) return undefined;
  const result = schema["~standard"].validate(value);
  if (!("then" in result)) return result;
  dropSafely(result);
  return undefined;
}

function isZod(schema: StandardSchema): boolean {
  return schema["~standard"].vendor === "zod";
}

/** Whether a schema of zod 4 answers later, found out in the way in which zod drops no promise. */
function isLater(schema: StandardSchema, value: unknown): boolean {
  const internals: unknown = Reflect.get(schema, "_zod");
  if (!isObject(internals) || typeof internals["run"] !== "function") return false;
  const result: unknown = internals["run"]({ value, issues: [] }, { async: true });
  if (!(result instanceof Promise)) return false;
  dropSafely(result);
  return true;
}

/** Nobody will look at it any more: a rejection must not end the process. */
function dropSafely(result: Promise<unknown>): void {
  result.catch(() => undefined);
}

/** What zod's `safeParseAsync` returns, as Standard Schema has it. */
function toResult<Output>(parsed: {
  readonly success: boolean;
  readonly data?: Output;
  readonly error?: { readonly issues: readonly StandardIssue[] };
}): StandardResult<Output> {
  const { error } = parsed;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a success has the output
  return error ? { issues: error.issues } : { value: parsed.data as Output };
}

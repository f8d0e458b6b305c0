import type { FunctionSchema } from "../schema/function-schema.ts";

/**
 * The schemas of functions, as JSON until they are asked for. Under a registered symbol, so that two copies of the
 * package in one program know the same functions.
 */
const key: symbol = Symbol.for("skein.schemas");

function schemas(): WeakMap<Function, string | FunctionSchema> {
  const known: unknown = Reflect.get(globalThis, key);
  if (known instanceof WeakMap) return known;
  const made = new WeakMap<Function, string | FunctionSchema>();
  Reflect.set(globalThis, key, made);
  return made;
}

/** The schema that a function is known by; `undefined` if it is still to be looked for. */
export function knownSchema(fn: Function): FunctionSchema | undefined {
  const known = schemas().get(fn);
  if (typeof known !== "string") return known;
  const schema: FunctionSchema = JSON.parse(known);
  schemas().set(fn, schema);
  return schema;
}

/** Makes a function's schema known. What a function is known by first stays. */
export function rememberSchema(fn: Function, schema: string | FunctionSchema): void {
  if (!schemas().has(fn)) schemas().set(fn, schema);
}

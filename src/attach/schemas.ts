import type { FunctionSchema } from "../schema/function-schema.ts";

/** What a function is known by: JSON, read when it is first asked for. */
interface Known {
  readonly json?: string;
  schema?: FunctionSchema;
}

/** A registered symbol, so that two copies of the package in one program know the same functions. */
const key: symbol = Symbol.for("skein.schemas");

function known(): WeakMap<object, Known> {
  const shared: unknown = Reflect.get(globalThis, key);
  if (shared instanceof WeakMap) return shared;
  const made = new WeakMap<object, Known>();
  Reflect.set(globalThis, key, made);
  return made;
}

/** The schema that a function, or a type of `output`, is known by; `undefined` if it is still to be looked for. */
export function knownSchema(fn: object): FunctionSchema | undefined {
  const entry = known().get(fn);
  if (entry?.json !== undefined) entry.schema ??= JSON.parse(entry.json);
  return entry?.schema;
}

/** Makes a function's schema known. The last one counts: a function outlives the change of a type that it names. */
export function rememberSchema(fn: object, schema: string | FunctionSchema): void {
  if (typeof schema !== "string") known().set(fn, { schema });
  else if (known().get(fn)?.json !== schema) known().set(fn, { json: schema });
}

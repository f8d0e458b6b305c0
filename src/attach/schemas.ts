import type { FunctionSchema, ParameterPlan } from "../schema/function-schema.ts";

/** What a function is known by: JSON, read when it is first asked for. */
interface Known {
  readonly json?: string;
  schema?: FunctionSchema;
}

type Registry = WeakMap<object, Known>;

/** Registered symbols, so that two copies of the package in one program know the same functions. */
const schemas: symbol = Symbol.for("skein.schemas");
const placements: symbol = Symbol.for("skein.placements");

function registry(key: symbol): Registry {
  const shared: unknown = Reflect.get(globalThis, key);
  if (shared instanceof WeakMap) return shared;
  const created: Registry = new WeakMap();
  Reflect.set(globalThis, key, created);
  return created;
}

/** The schema that a function, or a type of `output`, is known by; `undefined` if it is still to be looked for. */
export function knownSchema(fn: object): FunctionSchema | undefined {
  return read(registry(schemas).get(fn));
}

/**
 * What says how the arguments of a function are placed: its schema, or one that says nothing else (`placementOnly`), as builds
 * attach it to the function of `tool(fn, { input })`. `undefined` if it is still to be looked for.
 */
export function knownPlacement(fn: object): readonly ParameterPlan[] | undefined {
  return (read(registry(placements).get(fn)) ?? knownSchema(fn))?.parameters;
}

/** The name that a function has in its source, also where a minifier has changed it; empty for one without. */
export function knownName(fn: object): string | undefined {
  return (knownSchema(fn) ?? read(registry(placements).get(fn)))?.name;
}

/**
 * Makes a function's schema known. The last one counts: a function outlives the change of a type that it names. One that is
 * `placementOnly` stands apart, and never takes the place of another.
 */
export function rememberSchema(fn: object, schema: string | FunctionSchema): void {
  const known = registry(isPlacementOnly(schema) ? placements : schemas);
  if (typeof schema !== "string") known.set(fn, { schema });
  else if (known.get(fn)?.json !== schema) known.set(fn, { json: schema });
}

function isPlacementOnly(schema: string | FunctionSchema): boolean {
  if (typeof schema !== "string") return schema.placementOnly === true;
  // Other schemas are read when they are asked for; one that only has a property of that name is read once more.
  return schema.includes('"placementOnly"') && isPlacementOnly(JSON.parse(schema));
}

function read(known: Known | undefined): FunctionSchema | undefined {
  if (known?.json !== undefined) known.schema ??= JSON.parse(known.json);
  return known?.schema;
}

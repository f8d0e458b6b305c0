import type { FunctionSchema, ParameterPlan } from "../schema/function-schema.ts";

/** What a function is known by: JSON, read when it is first asked for. */
interface Entry {
  readonly json?: string;
  schema?: FunctionSchema;
  /** It has several schemas, at least one of them that of an expression alone: they cannot be told apart. */
  readonly isAmbiguous?: true;
}

type Registry = WeakMap<object, Entry>;

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
  return readEntry(registry(schemas).get(fn));
}

/**
 * What says how the arguments of a function are placed: its schema, or one that says nothing else (`placementOnly`), as builds
 * attach it to the function of `tool(fn, { input })`. `undefined` if it is still to be looked for.
 */
export function knownPlacement(fn: object): readonly ParameterPlan[] | undefined {
  return (readEntry(registry(placements).get(fn)) ?? knownSchema(fn))?.parameters;
}

/** The name that a function has in its source, also where a minifier has changed it; empty for one without. */
export function knownName(fn: object): string | undefined {
  return (knownSchema(fn) ?? readEntry(registry(placements).get(fn)))?.name;
}

/**
 * Makes a function's schema known. The last one counts: a function outlives the change of a type that it names. One that is
 * `placementOnly` stands apart, and never takes the place of another.
 */
export function rememberSchema(fn: object, schema: string | FunctionSchema): void {
  const entries = registry(isPlacementOnly(schema) ? placements : schemas);
  const entry = entries.get(fn);
  if (entry?.isAmbiguous) return;
  if (entry && contradicts(entry, schema)) entries.set(fn, { isAmbiguous: true });
  else if (typeof schema !== "string") entries.set(fn, { schema });
  else if (entry?.json !== schema) entries.set(fn, { json: schema });
}

/** Whether a function was found with several types, so that no schema is that of all its uses. */
export function isAmbiguous(fn: object): boolean {
  return registry(schemas).get(fn)?.isAmbiguous === true;
}

/** Whether the schema of a function was found for one expression while the program runs: another may say another. */
export function isProvisional(fn: object): boolean {
  const entry = registry(schemas).get(fn);
  return entry !== undefined && entry.json === undefined && entry.schema?.instance === true;
}

function contradicts(entry: Entry, schema: string | FunctionSchema): boolean {
  const [before, now] = [entry.json ?? JSON.stringify(entry.schema), schema].map((each) =>
    typeof each === "string" ? each : JSON.stringify(each),
  );
  const isInstance = (text: string | undefined): boolean => text?.includes('"instance":true') === true;
  return before !== now && (isInstance(before) || isInstance(now));
}

function isPlacementOnly(schema: string | FunctionSchema): boolean {
  if (typeof schema !== "string") return schema.placementOnly === true;
  // Other schemas are read when they are asked for; one that only has a property of that name is read once more.
  return schema.includes('"placementOnly"') && isPlacementOnly(JSON.parse(schema));
}

function readEntry(entry: Entry | undefined): FunctionSchema | undefined {
  if (entry?.json !== undefined) entry.schema ??= JSON.parse(entry.json);
  return entry?.schema;
}

import type { FunctionSchema } from "../function-schema.ts";

/** The attached schema of a function: JSON, parsed when it is first needed. */
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
 * What says how the arguments of a function are placed: its schema, or one that is for nothing else (`placementOnly`), as builds
 * attach it to the function of `tool(fn, { input })`. `undefined` if it is still to be looked for.
 */
export function knownPlacement(fn: object): FunctionSchema | undefined {
  return readEntry(registry(placements).get(fn)) ?? knownSchema(fn);
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
  const before = entry && (entry.json ?? JSON.stringify(entry.schema));
  const now = typeof schema === "string" ? schema : JSON.stringify(schema);
  if (before === now) return;
  if (before !== undefined && (isInstance(before) || isInstance(now))) {
    if (!takesTheSame(before, now)) {
      entries.set(fn, { isAmbiguous: true });
      return;
    }
    // What the function itself says is more than the same by another type.
    if (isInstance(now)) return;
  }
  entries.set(fn, typeof schema === "string" ? { json: schema } : { schema });
}

/** Whether a function was found with several types, so that no schema is that of all its uses. */
export function isAmbiguous(fn: object): boolean {
  return registry(schemas).get(fn)?.isAmbiguous === true;
}

/** Whether a build attached a function's schema, by all expressions that it saw: one found at run time is that of one of them. */
export function hasAttachedSchema(fn: object): boolean {
  return registry(schemas).get(fn)?.json !== undefined;
}

function isInstance(json: string): boolean {
  return json.includes('"instance":true');
}

/** Whether two schemas ask models for the same arguments, and place them alike. */
function takesTheSame(one: string, other: string): boolean {
  const [left, right] = [one, other].map((json) => {
    const { inputSchema, parameters, revive }: FunctionSchema = JSON.parse(json);
    return JSON.stringify([inputSchema, parameters, revive]);
  });
  return left === right;
}

function isPlacementOnly(schema: string | FunctionSchema): boolean {
  if (typeof schema !== "string") return schema.placementOnly === true;
  // Other schemas are read when they are needed; one that only has a property of that name is read once more.
  return schema.includes('"placementOnly"') && isPlacementOnly(JSON.parse(schema));
}

function readEntry(entry: Entry | undefined): FunctionSchema | undefined {
  if (entry?.json !== undefined) entry.schema ??= JSON.parse(entry.json);
  return entry?.schema;
}

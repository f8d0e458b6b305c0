import type { JsonSchema } from "../../../schema/types.ts";
import type { Type } from "../host.ts";

/** Stands on a schema while schemas are joined and copied, unseen by JSON. */
const mark: unique symbol = Symbol("type of a schema");

/** The named type that a schema was made of. */
export interface Origin {
  readonly type: Type;
  /** As it was made: a copy may say more. */
  readonly schema: JsonSchema;
}

interface MarkedSchema extends JsonSchema {
  readonly [mark]?: Origin;
}

/** What a schema may add about a type without changing which values it accepts. */
const annotations: ReadonlySet<string> = new Set(["description", "default", "deprecated", "examples"]);

/** `schema`, which was made of a named `type`. */
export function withOrigin(type: Type, schema: JsonSchema): JsonSchema {
  const result: MarkedSchema = { ...schema };
  Object.defineProperty(result, mark, { value: { type, schema: result }, enumerable: true });
  return result;
}

/** The named type that a schema, or the one that it is a copy of, was made of. */
export function originOf(schema: { readonly [mark]?: Origin }): Origin | undefined {
  return schema[mark];
}

/** What a copy of a schema says more than it. */
export interface Addition {
  /** Keywords that only annotate. */
  readonly beside: JsonSchema;
  /** Whether it takes `null`, too. */
  readonly isNullable: boolean;
}

/** What `copy` adds to `schema`; `undefined` where it is not the same otherwise. */
export function additionTo(schema: JsonSchema, copy: object): Addition | undefined {
  if (Object.keys(schema).some((name) => !Object.hasOwn(copy, name))) return undefined;
  const other = Object.entries(copy).filter(([name, value]) => !Object.is(value, schema[name]));
  const beside = other.filter(([name]) => annotations.has(name));
  const rest = other.filter(([name]) => !annotations.has(name));
  const isNullable = rest.length > 0;
  if (!rest.every(([name, value]) => allowsNullToo(name, schema[name], value))) return undefined;
  return { beside: Object.fromEntries(beside), isNullable };
}

/** Whether a keyword is what `nullable` makes of it. */
function allowsNullToo(name: string, before: unknown, after: unknown): boolean {
  if (!Array.isArray(after)) return false;
  const earlier: readonly unknown[] = name === "type" ? [before].flat() : Array.isArray(before) ? before : [];
  const [added, ...more] = after.slice(earlier.length);
  const isNull = name === "type" ? added === "null" : name === "anyOf" && isNullSchema(added);
  return (
    earlier.length > 0 &&
    isNull &&
    more.length === 0 &&
    earlier.every((each, index) => Object.is(each, after[index]))
  );
}

function isNullSchema(value: unknown): boolean {
  return typeof value === "object" && value !== null && "type" in value && value.type === "null";
}

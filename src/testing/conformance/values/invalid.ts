import { coerce } from "../../../schema/coerce.ts";
import { compileWithMatcher } from "../../../schema/compile-with-matcher.ts";
import type { JsonSchema } from "../../../schema/types.ts";
import { isPlainObject } from "../../../base/util/json.ts";

/** A value that a schema must not accept, and what is wrong with it. */
export interface InvalidValue {
  readonly value: unknown;
  readonly what: string;
}

/** Texts and numbers in place of what is wanted: mended by none of the ways in which a model's slips are. */
const strangers: readonly unknown[] = [
  { "no such": ["thing"] },
  ["no", "such", "thing"],
  "no such thing",
  -1e300,
  true,
  null,
];

/**
 * What goes wrong with a valid value in one place: something required is missing, of another type, too much, or unknown. Only
 * what the schema refuses, and what cannot be read as something valid without a loss either.
 */
export function* invalidValues(schema: JsonSchema, valid: unknown): Generator<InvalidValue, void, undefined> {
  const compiled = compileWithMatcher(schema);
  for (const invalid of changes(valid, "$", 0)) {
    const value: unknown = JSON.parse(JSON.stringify(invalid.value) ?? "null");
    if (!isPlainObject(value)) continue;
    if (!compiled.validate(value).ok && !compiled.validate(coerce(schema, value)).ok)
      yield { ...invalid, value };
  }
}

function* changes(value: unknown, path: string, depth: number): Generator<InvalidValue, void, undefined> {
  if (depth > 0)
    for (const other of strangers) yield { value: other, what: `${path} is ${JSON.stringify(other)}` };
  if (depth > 6) return;
  if (typeof value === "string") yield { value: value + "x".repeat(20_000), what: `${path} is very long` };
  if (Array.isArray(value)) {
    yield { value: [], what: `${path} is empty` };
    yield {
      value: [...value, ...Array.from({ length: 200 }, () => value[0] ?? null)],
      what: `${path} is very long`,
    };
    for (const [index, item] of value.slice(0, 3).entries())
      for (const { value: other, what } of changes(item, `${path}[${index}]`, depth + 1))
        yield { value: value.with(index, other), what };
  }
  if (!isPlainObject(value)) return;
  yield { value: { ...value, "no such property": 1 }, what: `${path} has "no such property"` };
  for (const name of Object.keys(value)) {
    const { [name]: item, ...rest } = value;
    yield { value: rest, what: `${path}.${name} is missing` };
    for (const { value: other, what } of changes(item, `${path}.${name}`, depth + 1))
      yield { value: { ...rest, [name]: other }, what };
  }
}

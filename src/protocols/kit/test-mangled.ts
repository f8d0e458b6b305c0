import * as fc from "fast-check";
import { InvalidInputError } from "skein";

/** A request in which any JSON stands in one place. */
export function mangled(body: object): fc.Arbitrary<unknown> {
  const json = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom(null, -1, "", [], {}, [null], "auto"));
  return fc
    .tuple(fc.constantFrom(...pathsOf(body)), json)
    .map(([path, value]) => replaced(body, path, value));
}

/** Whether reading a request works, or fails with an error that names the field. */
export function isReadOrRefused(read: (body: unknown) => unknown, body: unknown): boolean {
  try {
    read(body);
    return true;
  } catch (error) {
    return error instanceof InvalidInputError && typeof error.data["path"] === "string";
  }
}

type Path = readonly (string | number)[];

function pathsOf(value: unknown): readonly Path[] {
  if (typeof value !== "object" || value === null) return [[]];
  const keys: readonly (string | number)[] = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return [[], ...keys.flatMap((key) => pathsOf(Reflect.get(value, key)).map((path): Path => [key, ...path]))];
}

function replaced(body: unknown, [key, ...rest]: Path, value: unknown): unknown {
  if (key === undefined) return value;
  const copy: object = Array.isArray(body) ? [...body] : { ...Object(body) };
  Reflect.set(copy, key, replaced(Reflect.get(copy, key), rest, value));
  return copy;
}

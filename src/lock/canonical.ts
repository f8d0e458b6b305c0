import { isPlainObject } from "../base/util/json.ts";

/** JSON that is the same for the same schema, in whatever order it was written: keys, `required` and `type` are sorted. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(canonical(value, ""));
}

/** The value whose JSON is canonical. */
export function canonical(value: unknown, key: string): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => canonical(item, ""));
    return (key === "required" || key === "type") && items.every((item) => typeof item === "string")
      ? items.toSorted()
      : items;
  }
  if (!isPlainObject(value)) return value;
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  return Object.fromEntries(names.toSorted().map((name) => [name, canonical(value[name], name)]));
}

import { isPlainObject } from "../base/util/json.ts";
import type { SchemaComparison, SchemaChange, Versions } from "./schema-change.ts";
import { propertiesOf, requiredOf } from "./schema-parts.ts";

/** What changed in the properties of an object and in the elements of an array. */
export function compareProperties(
  versions: Versions,
  path: string,
  comparison: SchemaComparison,
): readonly SchemaChange[] {
  return [
    ...removedProperties(versions, path),
    ...keptProperties(versions, path, comparison),
    ...additional(versions, path, comparison),
    ...elements(versions, path, comparison),
  ];
}

function removedProperties({ before, after }: Versions, path: string): SchemaChange[] {
  const left = propertiesOf(after);
  return Object.keys(propertiesOf(before))
    .filter((name) => !Object.hasOwn(left, name))
    .map((name) => ({ path: join(path, name), kind: "removed", message: "was removed" }));
}

function keptProperties(
  { before, after }: Versions,
  path: string,
  comparison: SchemaComparison,
): SchemaChange[] {
  const earlierProperties = propertiesOf(before);
  const [needed, needs] = [requiredOf(before), requiredOf(after)];
  return Object.entries(propertiesOf(after)).flatMap(([name, schema]): SchemaChange[] => {
    const place = join(path, name);
    if (!Object.hasOwn(earlierProperties, name)) {
      return needs.has(name)
        ? [{ path: place, kind: "narrowed", message: "is new and required" }]
        : [{ path: place, kind: "added", message: "is new and optional" }];
    }
    const inner = comparison.compare(earlierProperties[name], schema, place, comparison);
    if (needed.has(name) === needs.has(name)) return inner;
    return needs.has(name)
      ? [{ path: place, kind: "narrowed", message: "is required now" }, ...inner]
      : [{ path: place, kind: "widened", message: "is optional now" }, ...inner];
  });
}

function additional({ before, after }: Versions, path: string, comparison: SchemaComparison): SchemaChange[] {
  const [earlier, later] = [before["additionalProperties"], after["additionalProperties"]];
  if (isPlainObject(earlier) && isPlainObject(later)) {
    return comparison.compare(earlier, later, join(path, "*"), comparison);
  }
  const [open, opens] = [earlier !== false, later !== false];
  if (open === opens && isPlainObject(earlier) === isPlainObject(later)) return [];
  if (opens && !isPlainObject(later))
    return [{ path, kind: "widened", message: "takes other properties, too" }];
  if (opens && !open) return [{ path, kind: "widened", message: "takes some other properties, too" }];
  return [{ path, kind: "narrowed", message: "no longer takes any other property" }];
}

function elements({ before, after }: Versions, path: string, comparison: SchemaComparison): SchemaChange[] {
  const [earlier, later] = [tuple(before), tuple(after)];
  const inner = Array.from({ length: Math.min(earlier.length, later.length) }, (_, index) =>
    comparison.compare(earlier[index], later[index], `${path}[${index}]`, comparison),
  ).flat();
  const hasItems = before["items"] !== undefined || after["items"] !== undefined;
  const items = hasItems
    ? comparison.compare(before["items"] ?? {}, after["items"] ?? {}, `${path}[]`, comparison)
    : [];
  if (earlier.length === later.length) return [...inner, ...items];
  const message = `has ${later.length} places of its own where it had ${earlier.length}`;
  return [...inner, { path, kind: "narrowed", message }, ...items];
}

function tuple(schema: Versions["before"]): readonly unknown[] {
  return Array.isArray(schema["prefixItems"]) ? schema["prefixItems"] : [];
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

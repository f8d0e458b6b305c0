import {
  follow,
  itemsOf,
  lastName,
  member,
  membersOf,
  oncePerObject,
  referenceOf,
  textIn,
} from "./pointers.ts";
import { propertiesOf } from "./schema-members.ts";

/** The value of the discriminating property in one kind of an object. */
export interface Discriminated {
  readonly property: string;
  readonly values: readonly string[];
}

/** Finds the property and value that identify a schema of a `oneOf` or `anyOf`, by the discriminator beside it. */
export type Discriminate = (discriminator: unknown, branch: unknown) => Discriminated | undefined;

/** Reads the mapping of each discriminator once for all of its branches. */
export function discriminating(root: unknown): Discriminate {
  const mappingOf = oncePerObject(valuesByTarget);
  return (discriminator, branch) =>
    discriminate(root, discriminator, branch, mappingOf(member(discriminator, "mapping")));
}

function valuesByTarget(mapping: unknown): ReadonlyMap<unknown, readonly string[]> {
  const values = new Map<unknown, string[]>();
  for (const [value, target] of membersOf(mapping)) {
    const before = values.get(target);
    if (before) before.push(value);
    else values.set(target, [value]);
  }
  return values;
}

function discriminate(
  root: unknown,
  discriminator: unknown,
  branch: unknown,
  mapping: ReadonlyMap<unknown, readonly string[]>,
): Discriminated | undefined {
  const property =
    textIn(discriminator, "propertyName") ?? (typeof discriminator === "string" ? discriminator : undefined);
  const reference = referenceOf(branch);
  if (property === undefined || reference === undefined) return undefined;
  const name = lastName(reference);
  const mapped = [...new Set([reference, name])].flatMap((target) => mapping.get(target) ?? []);
  if (mapped.length > 0) return { property, values: mapped };
  // What the schema says itself goes before the rule that its name is the value.
  const own = follow(root, propertiesOf(root, branch).get(property)).value;
  const isSaid = member(own, "enum") !== undefined || member(own, "const") !== undefined;
  return isSaid ? undefined : { property, values: [name] };
}

/** Finds the schemas that build on another one with `allOf`, as Swagger 2.0 writes the kinds of an object. */
export function kindsFinder(root: unknown): (reference: string) => readonly string[] {
  let direct: ReadonlyMap<string, readonly string[]> | undefined;
  return (reference) => {
    direct ??= directKinds(root);
    const kinds = new Set<string>(direct.get(reference));
    // A set that grows while it is walked.
    for (const kind of kinds) for (const next of direct.get(kind) ?? []) kinds.add(next);
    kinds.delete(reference);
    return [...kinds];
  };
}

function directKinds(root: unknown): ReadonlyMap<string, readonly string[]> {
  const kinds = new Map<string, string[]>();
  for (const [name, schema] of membersOf(member(member(root, "components"), "schemas"))) {
    const own = `#/components/schemas/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    for (const part of itemsOf(member(schema, "allOf"))) {
      const base = referenceOf(part);
      if (base === undefined) continue;
      const derived = kinds.get(base);
      if (derived) derived.push(own);
      else kinds.set(base, [own]);
    }
  }
  return kinds;
}

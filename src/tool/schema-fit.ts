import type { RevivedType } from "../schema/function-schema.ts";
import { typesOf, type InputOutline } from "../schema/input-outline.ts";

/** A schema of a tool's own, as far as it is known what its values are when they arrive at the function. */
export interface OwnSchema {
  readonly outline: InputOutline;
  /** Whether a library makes the values. Those of a JSON Schema are what JSON has. */
  readonly isLibrary: boolean;
  /** Whether a property that is left out gets its default. */
  readonly fillsDefaults: boolean;
}

/** Why the properties of a schema cannot be the members of an object that a function takes; empty if they can. */
export function memberProblems(declared: InputOutline, own: OwnSchema): readonly string[] {
  const { properties } = own.outline;
  const { properties: members, required = [], additionalProperties } = declared;
  if (properties === undefined || members === undefined) return [];
  const unknown = Object.keys(properties).filter((name) => !Object.hasOwn(members, name));
  return [
    ...(additionalProperties === false ? unknown.map((name) => `the function takes no ${name}`) : []),
    ...required.flatMap((name) => absenceProblems(name, own)),
    ...Object.entries(members).flatMap(([name, member]) => propertyProblems(name, member, own)),
  ];
}

/** Why the property of a schema cannot be the parameter or member of its name; empty if it can, or if there is none. */
export function propertyProblems(
  name: string,
  declared: InputOutline,
  { outline: { properties = {} }, isLibrary }: OwnSchema,
): readonly string[] {
  const outline = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (outline === undefined) return [];
  const [takes, gets] = [typesOf(declared), typesOf(outline)];
  if (declared.revived && (gets !== undefined || !isLibrary)) return [revivalProblem(name, declared.revived)];
  if (takes && gets && !takes.some((type) => gets.includes(type))) {
    return [`${name} is ${gets.join(" or ")}, where the function takes ${takes.join(" or ")}`];
  }
  const problems = memberProblems(declared, { outline, isLibrary, fillsDefaults: isLibrary });
  return problems.map((problem) => `in ${name}, ${problem}`);
}

/** A schema of a tool's own says nothing of what its values are turned into. */
export function revivalProblem(name: string, type: RevivedType): string {
  return `${name} is JSON, where the function takes a ${revivedNames[type]}`;
}

const revivedNames: Readonly<Record<RevivedType, string>> = {
  date: "Date",
  bigint: "bigint",
  url: "URL",
  base64: "Uint8Array",
  set: "Set",
  map: "Map",
};

/** Why a value that a function needs may not be there; empty if it always is. */
export function absenceProblems(
  name: string,
  { outline: { properties = {}, required = [] }, fillsDefaults }: OwnSchema,
): readonly string[] {
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (property === undefined) return [`it has no property ${name}, which the function needs`];
  if (required.includes(name) || (fillsDefaults && property["default"] !== undefined)) return [];
  return [`it does not require ${name}, which the function needs`];
}

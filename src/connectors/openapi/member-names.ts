import { type NameClash, type NameOwner, clashWith, isNameless } from "./compare-names.ts";
import { ArgumentError } from "./encode-body.ts";
import { follow, member, membersOf, oncePerObject } from "./pointers.ts";
import { itemsSchema, partsOf, propertiesOf } from "./schema-members.ts";
import { type SentMember, deepMembers } from "./serialize.ts";
import type {
  MemberNames,
  OperationParameter,
  ParameterLocation,
  SecurityScheme,
  Serialization,
} from "./types.ts";

/**
 * The parameters of one operation, those with what their members may be called whose members are sent under their own names.
 * @param path with the query that the document has there.
 */
export type MemberNamer = (
  parameters: readonly OperationParameter[],
  path: string,
) => readonly OperationParameter[];

/** Names members for all operations of a document: its credentials are gathered once. */
export function memberNamer(root: unknown, schemes: readonly SecurityScheme[]): MemberNamer {
  const credentialsOf = new Map<ParameterLocation, NameClash>();
  const schemaMembers = schemaReader(root);
  return (parameters, path) => {
    const places = new Map<ParameterLocation, PlaceNames>();
    return parameters.map((parameter) => {
      if (!isScattered(parameter)) return parameter;
      const { name, in: place } = parameter;
      const credentials = credentialsOf.get(place) ?? credentialNames(place, schemes);
      credentialsOf.set(place, credentials);
      const names = places.get(place) ?? namesIn(place, parameters, path, schemaMembers);
      places.set(place, names);
      return { ...parameter, members: { ...names.membersOf(name, parameter), credentials } };
    });
  };
}

/** What the schema of an object says of its members. */
interface SchemaMembers extends Pick<MemberNames, "properties" | "isOpen" | "declares"> {
  /** Whether a name could be taken for a property. */
  readonly isProperty: NameClash;
}

type SchemaReader = (schema: unknown) => SchemaMembers;

/** Reads the members of schemas, those that are shared only once. */
export function schemaReader(root: unknown): SchemaReader {
  const read = oncePerObject((schema) => membersOfSchema(root, schema));
  return (schema) => read(follow(root, schema).value);
}

/** What may have members that are sent under names of their own. */
interface Named {
  readonly name: string;
  readonly schema: unknown;
  /** How it is written, if its members have names of their own. */
  readonly how: Pick<Serialization, "style"> | undefined;
}

/** The names of everything that is sent to one place. */
export interface PlaceNames {
  /** Whether a name could be taken for any of them. */
  readonly has: (name: string) => boolean;
  /** What the members of one of them may be called. */
  readonly membersOf: (
    name: string,
    of: Pick<Serialization, "style"> & { readonly schema: unknown },
  ) => Omit<MemberNames, "credentials">;
}

function namesIn(
  place: ParameterLocation,
  parameters: readonly OperationParameter[],
  path: string,
  schemaMembers: SchemaReader,
): PlaceNames {
  const named = parameters
    .filter((each) => each.in === place)
    .map((each) => ({ name: each.name, schema: each.schema, how: isScattered(each) ? each : undefined }));
  return placeNames(named, fixedNames(place, path), schemaMembers);
}

/** @param fixed names that are nobody's. */
export function placeNames(
  named: readonly Named[],
  fixed: readonly string[],
  schemaMembers: SchemaReader,
): PlaceNames {
  const isName = clashWith([
    ...named.map(({ name }) => [name, name] as const),
    ...fixed.map((name) => [name] as const),
  ]);
  // The properties of a deep object begin with its own name. Those that share a schema have the same properties.
  const scattered = new Set(
    named.flatMap(({ schema, how }) => (how && how.style !== "deepObject" ? [schemaMembers(schema)] : [])),
  );
  const isAny = (name: string, own?: NameOwner, members?: SchemaMembers): boolean =>
    isName(name, own) || [...scattered].some((others) => others !== members && others.isProperty(name, own));
  return {
    has: (name) => isAny(name),
    membersOf(name, { schema, style }) {
      const members = schemaMembers(schema);
      const { properties, isOpen, declares } = members;
      const root = style === "deepObject" ? { root: name } : {};
      const others = (other: string): boolean => isAny(other, { owner: name, ...root }, members);
      return { ...root, properties, isOpen, declares, others };
    },
  };
}

/** The names of credentials in a form: where RFC 6750 lets a token stand, as in a query. */
export const formCredentials: NameClash = clashWith([["access_token"]]);

/** What the fields of a form may be called that the document does not have. */
export function formMembers(names: ReadonlySet<string>, { has }: PlaceNames): MemberNames {
  return {
    properties: names,
    // The schema of the body says so itself.
    isOpen: true,
    declares: ([name]) => typeof name === "string" && names.has(name),
    // The document may have a field for a token.
    credentials: () => false,
    others: (name) => has(name) || formCredentials(name),
  };
}

function membersOfSchema(root: unknown, schema: unknown): SchemaMembers {
  const properties = [...propertiesOf(root, schema).keys()];
  return {
    properties: new Set(properties),
    isOpen: properties.length === 0 || isOpen(root, schema),
    declares: (path) => declares(root, schema, path),
    isProperty: clashWith(properties.map((name) => [name] as const)),
  };
}

/** Whether a schema has a property, or an item, for every step of a path. */
function declares(root: unknown, schema: unknown, path: SentMember["path"]): boolean {
  let inner = schema;
  for (const step of path) {
    inner = typeof step === "number" ? itemsSchema(root, inner) : propertiesOf(root, inner).get(step);
    if (inner === undefined) return false;
  }
  return true;
}

/** Whether the members of an object are written as parameters of their own. */
function isScattered({ in: place, style, explode, mediaType }: OperationParameter): boolean {
  if (!explode || mediaType !== undefined) return false;
  return place === "query" || place === "cookie" || style === "matrix";
}

function isOpen(root: unknown, schema: unknown): boolean {
  const keywords = ["additionalProperties", "patternProperties", "unevaluatedProperties"];
  return partsOf(root, schema, ["allOf", "anyOf", "oneOf"]).some((part) =>
    keywords.some((keyword) => (member(part, keyword) ?? false) !== false),
  );
}

function credentialNames(place: ParameterLocation, schemes: readonly SecurityScheme[]): NameClash {
  const keys = schemes.flatMap((scheme) =>
    scheme.kind === "apiKey" && scheme.in === place ? [scheme.name] : [],
  );
  // Where RFC 6750 lets a token stand.
  return clashWith((place === "query" ? [...keys, "access_token"] : keys).map((name) => [name] as const));
}

function fixedNames(place: ParameterLocation, path: string): readonly string[] {
  const [, query = ""] = (path.split("#", 1)[0] ?? "").split("?", 2);
  return place === "query" ? [...new URLSearchParams(query).keys()] : [];
}

/** How much of a name an error shows. */
const longestName = 200;

/** @throws ArgumentError for a member that would be sent as another parameter, or as a credential. */
export function assertMembers(
  { argument, members }: Pick<OperationParameter, "argument" | "members">,
  value: unknown,
): void {
  if (!members) return;
  for (const { name, path } of sentMembers(members, value)) {
    const property = JSON.stringify(path.join(".").slice(0, longestName));
    if (isAnother(members, { name, path })) {
      const parameter = members.root === undefined ? "" : `: ${name.slice(0, longestName)}`;
      throw new ArgumentError(
        `${argument} has the property ${property}, which would be another parameter${parameter}`,
      );
    }
    if (members.root === undefined && !members.isOpen && !members.declares(path))
      throw new ArgumentError(
        `${argument} has no property ${property}. It has: ${[...members.properties].slice(0, 50).join(", ")}`,
      );
  }
}

/** The members of a value under the names that they are sent with. */
function sentMembers({ root }: MemberNames, value: unknown): readonly Omit<SentMember, "value">[] {
  if (root === undefined) return membersOf(value).map(([name]) => ({ name, path: [name] }));
  return deepMembers(root, value).filter(({ path }) => path.length > 0);
}

function isAnother(
  { root, declares, credentials, others }: MemberNames,
  { name, path }: Omit<SentMember, "value">,
): boolean {
  if (credentials(name, root === undefined ? {} : { root })) return true;
  // Frameworks let a query replace the method.
  const isReserved = root === undefined && (isNameless(name) || /^_+method$/i.test(name.trim()));
  return (isReserved || others(name)) && !declares(path);
}

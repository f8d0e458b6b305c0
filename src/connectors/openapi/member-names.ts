import { isPlainObject } from "../../base/util/json.ts";
import { ArgumentError } from "./encode-body.ts";
import { follow, member, membersOf, oncePerObject } from "./pointers.ts";
import { partsOf, propertiesOf } from "./schema-members.ts";
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
  const credentialsOf = new Map<ParameterLocation, ReadonlySet<string>>();
  const schemaMembers = oncePerObject((schema) => membersOfSchema(root, schema));
  return (parameters, path) => {
    const places = new Map<ParameterLocation, OthersThan>();
    return parameters.map((parameter) => {
      if (!isScattered(parameter)) return parameter;
      const { name, in: place, schema } = parameter;
      const othersThan = places.get(place) ?? usedNames(parameters, place, path);
      places.set(place, othersThan);
      const credentials = credentialsOf.get(place) ?? credentialNames(place, schemes);
      credentialsOf.set(place, credentials);
      const members = schemaMembers(follow(root, schema).value);
      return { ...parameter, members: { ...members, credentials, others: othersThan(name) } };
    });
  };
}

/** The names that stand beside one of them. */
export type OthersThan = (name: string) => MemberNames["others"];

/** Gathers names once for all of them, of which there may be thousands. */
export function namesBeside(names: readonly string[]): OthersThan {
  const counts = new Map<string, number>();
  for (const name of names.map(comparable)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return (own) => ({ has: (name) => (counts.get(name) ?? 0) > Number(name === comparable(own)) });
}

function usedNames(
  parameters: readonly OperationParameter[],
  place: ParameterLocation,
  path: string,
): OthersThan {
  const names = parameters.filter((each) => each.in === place).map(({ name }) => name);
  return namesBeside([...names, ...fixedNames(place, path)]);
}

/** What the members of a form's field may be called, if they are sent as fields of their own. */
export function fieldMembers(
  root: unknown,
  schema: unknown,
  { style, explode }: Serialization,
  others: MemberNames["others"],
): MemberNames | undefined {
  if (!explode || style === "deepObject") return undefined;
  // Where RFC 6750 lets a token stand, as in a query.
  return {
    ...membersOfSchema(root, schema),
    credentials: new Set(["access_token"].map(comparable)),
    others,
  };
}

function membersOfSchema(root: unknown, schema: unknown): Pick<MemberNames, "properties" | "isOpen"> {
  const properties = [...propertiesOf(root, schema).keys()];
  return { properties: new Set(properties), isOpen: properties.length === 0 || isOpen(root, schema) };
}

/** Whether the members of an object are written as parameters of their own. */
function isScattered({ in: place, style, explode, mediaType }: OperationParameter): boolean {
  if (!explode || mediaType !== undefined || style === "deepObject") return false;
  return place === "query" || place === "cookie" || style === "matrix";
}

function isOpen(root: unknown, schema: unknown): boolean {
  const keywords = ["additionalProperties", "patternProperties", "unevaluatedProperties"];
  return partsOf(root, schema, ["allOf", "anyOf", "oneOf"]).some((part) =>
    keywords.some((keyword) => (member(part, keyword) ?? false) !== false),
  );
}

function credentialNames(place: ParameterLocation, schemes: readonly SecurityScheme[]): ReadonlySet<string> {
  const keys = schemes.flatMap((scheme) =>
    scheme.kind === "apiKey" && scheme.in === place ? [scheme.name] : [],
  );
  // Where RFC 6750 lets a token stand.
  return new Set((place === "query" ? [...keys, "access_token"] : keys).map(comparable));
}

function fixedNames(place: ParameterLocation, path: string): readonly string[] {
  const [, query = ""] = (path.split("#", 1)[0] ?? "").split("?", 2);
  return place === "query" ? [...new URLSearchParams(query).keys()] : [];
}

/** A name as servers compare it: some ignore case, and read `api.key` and `api key` as `api_key`. */
function comparable(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}[]/gu, "")
    .replace(/\[.*$/s, "");
}

/** What a server could take a name for: `role[]` and `role.name` are of `role`. */
function readings(name: string): readonly string[] {
  return [comparable(name), comparable(name.split(".", 1)[0] ?? "")];
}

/** @throws ArgumentError for a member that would be sent as another parameter, or as a credential. */
export function assertMembers(
  { argument, members }: Pick<OperationParameter, "argument" | "members">,
  value: unknown,
): void {
  if (!members || !isPlainObject(value)) return;
  for (const [name] of membersOf(value)) {
    const isProperty = members.properties.has(name);
    const isOther = !isProperty && readings(name).some((each) => each === "" || members.others.has(each));
    const isCredential = readings(name).some((each) => members.credentials.has(each));
    // Frameworks let a query replace the method.
    if (isOther || isCredential || (!isProperty && /^_+method$/i.test(name.trim())))
      throw new ArgumentError(
        `${argument} has the property ${JSON.stringify(name)}, which would be another parameter`,
      );
    if (!isProperty && !members.isOpen)
      throw new ArgumentError(
        `${argument} has no property ${JSON.stringify(name)}. It has: ${[...members.properties].slice(0, 50).join(", ")}`,
      );
  }
}

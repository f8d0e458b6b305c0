import { isPlainObject } from "../../base/util/json.ts";
import { ArgumentError } from "./encode-body.ts";
import { member, membersOf } from "./pointers.ts";
import { partsOf, propertiesOf } from "./schema-members.ts";
import type {
  MemberNames,
  OperationParameter,
  ParameterLocation,
  SecurityScheme,
  Serialization,
} from "./types.ts";

/** What a parameter's members must not be called, besides the names of other parameters. */
export interface ReservedNames {
  readonly schemes: Iterable<SecurityScheme>;
  /** With the query that the document has there. */
  readonly path: string;
}

/** The parameters, those with what their members may be called whose members are sent under their own names. */
export function withMemberNames(
  root: unknown,
  parameters: readonly OperationParameter[],
  reserved: ReservedNames,
): readonly OperationParameter[] {
  return parameters.map((parameter) => {
    if (!isScattered(parameter)) return parameter;
    const others = parameters
      .filter((each) => each !== parameter && each.in === parameter.in)
      .map(({ name }) => name);
    const members = membersOfSchema(root, parameter.schema, {
      credentials: credentialNames(parameter.in, reserved.schemes),
      others: [...others, ...fixedNames(parameter.in, reserved.path)],
    });
    return { ...parameter, members };
  });
}

/** What the members of a form's field may be called, if they are sent as fields of their own. */
export function fieldMembers(
  root: unknown,
  schema: unknown,
  { style, explode }: Serialization,
  others: readonly string[],
): MemberNames | undefined {
  if (!explode || style === "deepObject") return undefined;
  // Where RFC 6750 lets a token stand, as in a query.
  return membersOfSchema(root, schema, { credentials: ["access_token"], others });
}

function membersOfSchema(
  root: unknown,
  schema: unknown,
  { credentials, others }: { readonly credentials: readonly string[]; readonly others: readonly string[] },
): MemberNames {
  const properties = [...propertiesOf(root, schema).keys()];
  return {
    properties: new Set(properties),
    isOpen: properties.length === 0 || isOpen(root, schema),
    credentials: new Set(credentials.map(comparable)),
    others: new Set(others.map(comparable)),
  };
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

function credentialNames(place: ParameterLocation, schemes: Iterable<SecurityScheme>): readonly string[] {
  const keys = [...schemes].flatMap((scheme) =>
    scheme.kind === "apiKey" && scheme.in === place ? [scheme.name] : [],
  );
  // Where RFC 6750 lets a token stand.
  return place === "query" ? [...keys, "access_token"] : keys;
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

import { isPlainObject } from "../../base/util/json.ts";
import { mergeOwn } from "../../base/util/snapshot.ts";
import { areBytes, kindOfMediaType } from "./media-types.ts";
import { follow, member, membersOf, oncePerObject, textIn } from "./pointers.ts";
import { collectionFormatKey } from "./swagger-two.ts";
import { formCredentials, formMembers, placeNames, schemaReader } from "./member-names.ts";
import type { Names } from "./names.ts";
import { serializationOf } from "./parameters.ts";
import { isBinary, itemsSchema, propertiesOf } from "./schema-members.ts";
import type { BodyField, BodyKind, MemberNames, OperationBody, Serialization } from "./types.ts";

/** The kinds of bodies, the one that models write best first. */
const preference: readonly BodyKind[] = ["json", "form", "multipart", "text", "binary"];

/** What an operation's request holds; `undefined` for nothing. */
export type BodyReader = (
  documented: unknown,
  names: Names,
) => OperationBody | undefined | { readonly problem: string };

/** Reads the bodies of a document, those that operations share only once. */
export function bodyReader(root: unknown): BodyReader {
  const forms: FormReader = {
    hasFiles: oncePerObject((schema) =>
      [...propertiesOf(root, schema).values()].some((field) => isBinary(root, field)),
    ),
    form: oncePerObject((schema) => fieldsOf(root, schema, undefined, "form")),
    multipart: oncePerObject((schema) => fieldsOf(root, schema, undefined, "multipart")),
  };
  const read = oncePerObject((body) => ({ body: readBody(root, body, forms) }));
  return (documented, names) => {
    if (documented === undefined) return undefined;
    const value = follow(root, documented).value;
    if (value === undefined) return { problem: "its request body is a reference that names nothing" };
    const { body } = read(value);
    return body && { ...body, argument: names.take("body", "request_body") };
  };
}

/** What is known of the schemas of forms, by their objects. */
interface FormReader extends Readonly<Record<"form" | "multipart", (schema: unknown) => FormFields>> {
  readonly hasFiles: (schema: unknown) => boolean;
}

/** Of several media types the one is taken that models write best. */
function readBody(
  root: unknown,
  body: unknown,
  forms: FormReader,
): Omit<OperationBody, "argument"> | undefined {
  const choices = membersOf(member(body, "content")).map(([mediaType, media]) => {
    const schema = member(follow(root, media).value, "schema");
    const kind = kindOf(root, mediaType, schema);
    // A file can go through a form only in parts.
    const hasFiles = kind === "form" && forms.hasFiles(follow(root, schema).value);
    return { mediaType, media, schema, kind, rank: preference.indexOf(kind) + (hasFiles ? 2 : 0) };
  });
  const chosen = choices.toSorted((left, right) => left.rank - right.rank)[0];
  if (!chosen) return undefined;
  const description = textIn(body, "description");
  const { kind, mediaType } = chosen;
  const encoding = member(follow(root, chosen.media).value, "encoding");
  const schema = kind === "multipart" ? withFiles(root, chosen.schema, encoding) : chosen.schema;
  return {
    kind,
    mediaType: concrete(mediaType, kind),
    required: member(body, "required") === true,
    ...(description !== undefined && { description }),
    schema,
    ...formFields(),
  };

  function formFields(): FormFields {
    if (kind !== "form" && kind !== "multipart") return { fields: new Map() };
    if (encoding !== undefined) return fieldsOf(root, schema, encoding, kind);
    return forms[kind](follow(root, schema).value);
  }
}

function kindOf(root: unknown, mediaType: string, schema: unknown): BodyKind {
  const kind = kindOfMediaType(mediaType);
  const isRange = (mediaType.split(";", 1)[0] ?? "").trim().endsWith("/*");
  return kind === "binary" && isRange && schema !== undefined && !isBinary(root, schema) ? "json" : kind;
}

/** A range of media types as one that can be sent. */
function concrete(mediaType: string, kind: BodyKind): string {
  if (!mediaType.includes("*")) return mediaType;
  const types = {
    json: "application/json",
    form: "application/x-www-form-urlencoded",
    multipart: "multipart/form-data",
    text: "text/plain",
    binary: "application/octet-stream",
  } satisfies Record<BodyKind, string>;
  return types[kind];
}

/** The schema of a form, where properties whose encoding is of bytes say so themselves. */
function withFiles(root: unknown, schema: unknown, encodings: unknown): unknown {
  const form = follow(root, schema).value;
  const properties = member(form, "properties");
  const files = membersOf(encodings).flatMap(([name, encoding]) => {
    const contentType = textIn(encoding, "contentType");
    const property = follow(root, member(properties, name)).value;
    return contentType !== undefined && isPlainObject(property) && areBytes(contentType)
      ? [[name, asFile(root, property, contentType)] as const]
      : [];
  });
  if (files.length === 0 || !isPlainObject(form)) return schema;
  return { ...form, properties: mergeOwn([Object(properties), Object.fromEntries(files)]) };
}

function asFile(
  root: unknown,
  property: Readonly<Record<string, unknown>>,
  contentMediaType: string,
): Readonly<Record<string, unknown>> {
  const { type, items } = property;
  const item = follow(root, items).value;
  if (isPlainObject(item)) return { ...property, items: asFile(root, item, contentMediaType) };
  const isText = type === undefined || type === "string";
  return isText && property["contentMediaType"] === undefined ? { ...property, contentMediaType } : property;
}

type FormFields = Pick<OperationBody, "fields" | "members">;

function fieldsOf(root: unknown, schema: unknown, encodings: unknown, kind: BodyKind): FormFields {
  const properties = [...propertiesOf(root, schema)].map(([name, property]) => ({
    name,
    schema: property,
    ...fieldOf(root, property, member(encodings, name), kind),
  }));
  const named = properties.map(({ name, schema, serialization }) => ({
    name,
    schema,
    how: scatteredAs(serialization),
  }));
  const place = placeNames(named, [], schemaReader(root));
  const fields = properties.map(({ name, schema, ...field }): readonly [string, BodyField] => {
    const how = scatteredAs(field.serialization);
    const members: MemberNames | undefined = how && {
      ...place.membersOf(name, { ...how, schema }),
      credentials: formCredentials,
    };
    return [name, { ...field, ...(members && { members }) }];
  });
  const names = new Set(properties.map(({ name }) => name));
  return { fields: new Map(fields), members: formMembers(names, place) };
}

/** How a field is written, if members of it are fields of their own. */
function scatteredAs(serialization: Serialization | undefined): Serialization | undefined {
  return serialization?.explode ? serialization : undefined;
}

function fieldOf(root: unknown, property: unknown, encoding: unknown, kind: BodyKind): BodyField {
  const items = itemsSchema(root, property);
  const mediaTypes = [property, items].map((schema) =>
    textIn(follow(root, schema).value, "contentMediaType"),
  );
  const contentType = textIn(encoding, "contentType") ?? mediaTypes.find((each) => each !== undefined);
  const saysStyle = ["style", "explode", "allowReserved"].some((key) => member(encoding, key) !== undefined);
  // What Swagger 2.0 has no style of OpenAPI 3 for stands beside the schema.
  const definition = textIn(property, collectionFormatKey) === undefined ? encoding : property;
  const serialization = saysStyle || definition === property ? serializationOf(definition) : undefined;
  return {
    file: kind === "multipart" && (isBinary(root, property) || isBinary(root, items)),
    ...(contentType !== undefined && { contentType }),
    ...(serialization && { serialization }),
  };
}

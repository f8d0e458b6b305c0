import { isPlainObject } from "../../base/util/json.ts";
import { follow, itemsOf, member, membersOf, textIn } from "./pointers.ts";

type Fields = Record<string, unknown>;

/** The methods of a Swagger 2.0 path item. */
const methods: ReadonlySet<string> = new Set(["get", "put", "post", "delete", "options", "head", "patch"]);

/** Set for an operation whose form has to be sent. */
export const requiredFormKey = "x-required-form";

/** The parameter's own collection format, kept where OpenAPI 3 has no style for it. */
export const collectionFormatKey = "x-collection-format";

/**
 * A Swagger 2.0 document with everything written out that the upgrade would lose or fail at: references to parameters,
 * responses and path items; parameters of a path that an operation shares; what an operation consumes; collection formats.
 */
export function tidied(document: Readonly<Fields>): Fields {
  const paths = membersOf(document["paths"]).flatMap(([path, item]) => {
    const whole = follow(document, item).value;
    return isPlainObject(whole) && !path.startsWith("x-") ? [[path, tidyItem(document, whole)] as const] : [];
  });
  const responses = membersOf(document["responses"]).filter(([, response]) => isPlainObject(response));
  const { parameters: _written, ...rest } = document;
  return {
    ...rest,
    ...addressOf(document),
    swagger: "2.0",
    paths: Object.fromEntries(paths),
    responses: Object.fromEntries(responses),
  };
}

/** Where the API is: a path that begins with a slash, of the schemes the encrypted one first. */
function addressOf(document: Readonly<Fields>): Fields {
  const host = textIn(document, "host");
  const basePath = textIn(document, "basePath");
  if (host !== undefined && !/^[^/\s]+$/.test(host))
    throw new Error(
      `its host must be a name such as api.example.com, not ${JSON.stringify(host.slice(0, 80))}`,
    );
  return {
    ...(basePath !== undefined && { basePath: basePath.replace(/^(?!\/)/, "/") }),
    ...(Array.isArray(document["schemes"]) && { schemes: schemesIn(document) }),
  };
}

function schemesIn(holder: Readonly<Fields>): readonly string[] {
  const schemes = itemsOf(holder["schemes"]).filter((scheme) => typeof scheme === "string");
  return schemes.toSorted((left, right) => Number(right === "https") - Number(left === "https"));
}

/** The servers of an operation with schemes of its own. */
function ownServers(document: Readonly<Fields>, operation: Fields): Fields {
  const host = textIn(document, "host");
  const schemes = schemesIn(operation);
  if (host === undefined || schemes.length === 0) return {};
  const path = textIn({ ...document, ...addressOf(document) }, "basePath") ?? "";
  return { servers: schemes.map((scheme) => ({ url: `${scheme}://${host}${path}` })) };
}

function tidyItem(document: Readonly<Fields>, item: Fields): Fields {
  const shared = itemsOf(item["parameters"]);
  const operations = Object.entries(item).flatMap(([method, operation]) =>
    methods.has(method) && isPlainObject(operation)
      ? [[method, tidyOperation(document, operation, method, shared)] as const]
      : [],
  );
  return Object.fromEntries(operations);
}

function tidyOperation(
  document: Readonly<Fields>,
  operation: Fields,
  method: string,
  shared: readonly unknown[],
): Fields {
  const own = itemsOf(operation["parameters"]).map((parameter) => follow(document, parameter).value);
  const inherited = shared.map((parameter) => follow(document, parameter).value);
  // One body alone: the operation's goes before the path's, which is not meant for what can have none.
  const isBodiless = method === "get" || method === "head" || own.some((parameter) => isBody(parameter));
  const inheritedHere = inherited.filter(
    (parameter) => !(isBodiless && isBody(parameter)) && !own.some((other) => isSame(other, parameter)),
  );
  const all = [...inheritedHere, ...own];
  const parameters = all.filter(
    (parameter) => isPlainObject(parameter) && typeof parameter["in"] === "string",
  );
  const isBroken = parameters.length < all.length;
  const responses = membersOf(operation["responses"]).flatMap(([status, response]) => {
    const resolved = follow(document, response).value;
    return isPlainObject(resolved) ? [[status, structuredClone(resolved)] as const] : [];
  });
  return {
    ...operation,
    ...ownServers(document, operation),
    ...(isBroken && { "x-broken-parameters": true }),
    // The upgrade says of a form which fields are required, and not that it is required itself.
    ...(parameters.some(isRequiredField) && { [requiredFormKey]: true }),
    parameters: parameters.filter(isPlainObject).map(tidyParameter),
    consumes: consumesOf(document, operation, parameters),
    responses: Object.fromEntries(responses),
  };
}

function tidyParameter(parameter: Fields): Fields {
  const format = textIn(parameter, "collectionFormat");
  if (parameter["in"] === "formData") {
    // In a form of Swagger 2.0 lists are separated by commas, in one of OpenAPI 3 they are repeated.
    const isList = parameter["type"] === "array" && format === undefined;
    const isTabbed = format === "tsv";
    return {
      ...parameter,
      ...(isList && { collectionFormat: "csv" }),
      ...(isTabbed && { [collectionFormatKey]: format }),
    };
  }
  return { ...parameter, ...(format !== undefined && { [collectionFormatKey]: format }) };
}

function isRequiredField(parameter: unknown): boolean {
  return textIn(parameter, "in") === "formData" && member(parameter, "required") === true;
}

function isBody(parameter: unknown): boolean {
  const place = textIn(parameter, "in");
  return place === "body" || place === "formData";
}

function isSame(left: unknown, right: unknown): boolean {
  return textIn(left, "name") === textIn(right, "name") && textIn(left, "in") === textIn(right, "in");
}

/** What the operation consumes. A form without a media type is multipart only if there are files in it. */
function consumesOf(
  document: Readonly<Fields>,
  operation: Fields,
  parameters: readonly unknown[],
): readonly string[] {
  const mediaTypes = [member(operation, "consumes"), member(document, "consumes")].find(Array.isArray);
  const types = itemsOf(mediaTypes).filter((type): type is string => typeof type === "string");
  const form = parameters.filter((parameter) => textIn(parameter, "in") === "formData");
  if (form.length === 0) return types.length === 0 ? ["application/json"] : types;
  if (types.some((type) => /^(?:multipart\/form-data|application\/x-www-form-urlencoded)/.test(type)))
    return types;
  const hasFiles = form.some((parameter) => textIn(parameter, "type") === "file");
  return [hasFiles ? "multipart/form-data" : "application/x-www-form-urlencoded"];
}

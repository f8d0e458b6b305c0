import { isPlainObject } from "../../base/util/json.ts";
import { defineOwn } from "../../base/util/snapshot.ts";
import { type BodyReader, bodyReader } from "./bodies.ts";
import { type MemberNamer, memberNamer } from "./member-names.ts";
import { type Names, argumentNames, toolNames } from "./names.ts";
import { type ParameterReader, parameterReader, parametersOf, pathProblem } from "./parameters.ts";
import { follow, itemsOf, member, membersOf, oncePerObject, textIn } from "./pointers.ts";
import { requirementsOf, securitySchemes } from "./security.ts";
import { type ServerScope, type ServersFound, serversOf } from "./servers.ts";
import { requiredFormKey } from "./swagger-two.ts";
import type { LeftOut, Operation, SecurityRequirement } from "./types.ts";

/** The methods of a path item, as it writes them. */
const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"] as const;

/** What is read of a path item. */
const itemMembers = [...methods, "servers", "parameters", "summary", "description"];

/** What operations are read with. */
export interface ReadingScope extends ServerScope {
  /** Headers that the program sends itself, in lower case: no parameters for the model. */
  readonly ownHeaders: ReadonlySet<string>;
}

/** All operations of a document: those that can be tools, and the others with a reason. */
export interface OperationsFound {
  readonly operations: readonly Operation[];
  readonly leftOut: readonly LeftOut[];
}

interface Reading {
  readonly root: unknown;
  readonly scope: ReadingScope;
  readonly names: Names;
  readonly serversOf: (listed: unknown) => ServersFound;
  readonly securityOf: (required: unknown) => Secured;
  readonly parameterOf: ParameterReader;
  readonly tagsOf: (listed: unknown) => readonly string[];
  readonly responseOf: (response: unknown) => ResponseContent;
  readonly bodyOf: BodyReader;
  readonly withMemberNames: MemberNamer;
}

/** What an operation requires, and what its parameters cannot be for that reason. */
interface Secured {
  readonly security: Operation["security"];
  readonly isOwn: (place: string, name: string) => boolean;
}

interface Place {
  readonly method: string;
  readonly path: string;
  readonly item: unknown;
  readonly operation: unknown;
}

/** Reads every operation of a document of OpenAPI 3.1, in its order. */
export function readOperations(root: unknown, scope: ReadingScope): OperationsFound {
  const schemes = securitySchemes(root);
  const reading: Reading = {
    root,
    scope,
    names: toolNames(),
    serversOf: oncePerObject((listed) => serversOf(listed, scope)),
    securityOf: oncePerObject((required) => {
      const security = requirementsOf(required, schemes);
      return { security, isOwn: ownedBy(security.flat(), scope.ownHeaders) };
    }),
    parameterOf: parameterReader(root),
    tagsOf: oncePerObject((listed) =>
      itemsOf(listed).filter((tag): tag is string => typeof tag === "string"),
    ),
    responseOf: oncePerObject((response) => contentOf(root, response)),
    bodyOf: bodyReader(root),
    withMemberNames: memberNamer(root, [...schemes.values()]),
  };
  const operations: Operation[] = [];
  const leftOut: LeftOut[] = [];
  for (const [path, pathItem] of membersOf(member(root, "paths"))) {
    if (path.startsWith("x-")) continue;
    const item = itemOf(root, pathItem);
    if (!isPlainObject(item)) {
      leftOut.push({
        method: "*",
        path,
        reason: "its path must be an object, or a reference that can be resolved",
      });
      continue;
    }
    for (const method of methods) {
      if (!Object.hasOwn(item, method)) continue;
      const place = { method: method.toUpperCase(), path, item, operation: item[method] };
      const read = readOperation(place, reading);
      if (typeof read !== "string") operations.push(read);
      else leftOut.push({ ...nameOf(place), reason: read });
    }
  }
  return { operations, leftOut };
}

/** What is read of a path item, with what a reference in it adds: thousands of paths may share an item. */
function itemOf(root: unknown, pathItem: unknown): unknown {
  const { value } = follow(root, pathItem);
  if (!isPlainObject(value) || !isPlainObject(pathItem)) return value;
  const item: Record<string, unknown> = {};
  for (const name of itemMembers) {
    const holder = [pathItem, value].find((each) => Object.hasOwn(each, name));
    if (holder) defineOwn(item, name, holder[name]);
  }
  return item;
}

function nameOf({ method, path, operation }: Place): Omit<LeftOut, "reason"> {
  const operationId = textIn(operation, "operationId");
  return { method, path, ...(operationId !== undefined && { operationId }) };
}

/** An operation, or why it is none. */
function readOperation(place: Place, reading: Reading): Operation | string {
  const { method, path, item, operation } = place;
  const { root } = reading;
  if (!isPlainObject(operation)) return "it must be an object";
  if (method === "TRACE") return "requests with TRACE cannot be sent";
  if (operation["x-broken-parameters"] === true) return "one of its parameters names nothing";
  const serverLists = [operation["servers"], member(item, "servers"), member(root, "servers")];
  const servers = reading.serversOf(serverLists.find((list) => itemsOf(list).length > 0));
  if ("problem" in servers) return servers.problem;
  const required = operation["security"] ?? member(root, "security");
  const { security, isOwn } = reading.securityOf(required);
  const names = argumentNames();
  const lists = [operation["parameters"], member(item, "parameters")];
  const parameters = parametersOf(reading.parameterOf, lists, names, isOwn);
  if ("problem" in parameters) return parameters.problem;
  const problem = pathProblem(path, parameters);
  if (problem !== undefined) return problem;
  const bodyHere = reading.bodyOf(operation["requestBody"], names);
  if (bodyHere && "problem" in bodyHere) return bodyHere.problem;
  const body = bodyHere && operation[requiredFormKey] === true ? { ...bodyHere, required: true } : bodyHere;
  const canHaveBody = method !== "GET" && method !== "HEAD";
  if (body?.required && !canHaveBody) return `it needs a body, which a request with ${method} cannot have`;
  return {
    ...described(place, reading),
    servers: servers.servers,
    parameters: reading.withMemberNames(parameters, path),
    ...(body && canHaveBody && { body }),
    security,
    ...responsesOf(root, operation["responses"], reading.responseOf),
  };
}

/** Whether a parameter is what the program itself sends: credentials and its own headers. */
function ownedBy(
  requirements: readonly SecurityRequirement[],
  headers: ReadonlySet<string>,
): (place: string, name: string) => boolean {
  const keys = new Set(
    requirements.map(({ scheme }) =>
      scheme.kind === "apiKey" ? `${scheme.in} ${scheme.name.toLowerCase()}` : "",
    ),
  );
  return (place, name) =>
    keys.has(`${place} ${name.toLowerCase()}`) || (place === "header" && headers.has(name.toLowerCase()));
}

type Described = Pick<
  Operation,
  "method" | "path" | "name" | "operationId" | "summary" | "description" | "tags" | "deprecated"
>;

function described(place: Place, { names, tagsOf }: Reading): Described {
  const { method, path, item, operation } = place;
  const summary = textIn(operation, "summary") ?? textIn(item, "summary");
  const description = textIn(operation, "description") ?? textIn(item, "description");
  const naming = nameOf(place);
  return {
    ...naming,
    name: names.take(naming.operationId || `${method.toLowerCase()}_${path}`),
    ...(summary !== undefined && { summary }),
    ...(description !== undefined && { description }),
    tags: tagsOf(member(operation, "tags")),
    deprecated: member(operation, "deprecated") === true,
  };
}

/** What is read of a response. */
interface ResponseContent {
  /** Its JSON, if it documents one. */
  readonly schema: unknown;
  /** As many as are asked for, JSON first, whatever the order. */
  readonly types: readonly string[];
}

/** The most media types that a request asks for. */
const mostTypes = 20;

/** What an operation answers with. */
function responsesOf(
  root: unknown,
  responses: unknown,
  responseOf: Reading["responseOf"],
): Pick<Operation, "responses" | "accept"> {
  const schemas = new Map<string, unknown>();
  const types = new Set<string>();
  for (const [status, response] of membersOf(responses)) {
    if (!/^(?:2|default)/i.test(status)) continue;
    const content = responseOf(follow(root, response).value);
    for (const type of content.types) types.add(type);
    const key = status.toUpperCase();
    if (content.schema !== undefined && !schemas.has(key)) schemas.set(key, content.schema);
  }
  const accept = jsonFirst(types).join(", ");
  return { responses: schemas, accept: accept === "" ? "application/json, */*;q=0.8" : accept };
}

function contentOf(root: unknown, response: unknown): ResponseContent {
  const content = membersOf(member(response, "content"));
  // What may be any type is JSON where a server says so.
  const json = [/json/i, /^application\/\*/i, /^\*\/\*/].flatMap((pattern) =>
    content.filter(([type]) => pattern.test(type)),
  );
  const schemas = json.map(([, media]) => member(follow(root, media).value, "schema"));
  return {
    schema: schemas.find((schema) => schema !== undefined),
    types: jsonFirst(content.map(([type]) => type).filter(isSendable)),
  };
}

function jsonFirst(types: Iterable<string>): readonly string[] {
  return [...types]
    .toSorted((left, right) => Number(/json/i.test(right)) - Number(/json/i.test(left)))
    .slice(0, mostTypes);
}

function isSendable(mediaType: string): boolean {
  return /^[\w!#$&^.+*/; ="-]{1,200}$/.test(mediaType);
}

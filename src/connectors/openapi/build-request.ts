import { isPlainObject } from "../../base/util/json.ts";
import { ArgumentError, encodeBody } from "./encode-body.ts";
import { assertMembers } from "./member-names.ts";
import { placeholder } from "./parameters.ts";
import {
  misfit,
  percent,
  serializeHeader,
  serializePairs,
  serializePath,
  memberProblem,
  textOf,
} from "./serialize.ts";
import type { Operation, OperationBody, OperationParameter, PreparedRequest } from "./types.ts";

/** What HTTP allows in a header's value. */
const headerValue = /^[\t\x20-\x7E\x80-\xFF]*$/;

/** What HTTP allows in a header's name, and RFC 6265 in a cookie's. */
const token = /^[!#$%&'*+.^_`|~\w-]+$/;

/**
 * The request that an operation's arguments stand for, without credentials. Nothing is sent.
 * @param boundary stands between the parts of a multipart body.
 * @throws ArgumentError for values that cannot be sent so.
 */
export function buildRequest(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  boundary: string,
): PreparedRequest {
  const { method, path, parameters, body, servers, accept } = operation;
  const [server = ""] = servers;
  const headers = new Map([["accept", accept]]);
  const query: string[] = [];
  const cookies: string[] = [];
  const segments = new Map<string, string>();
  for (const parameter of parameters) {
    const value = argumentIn(input, parameter.argument);
    if (value === undefined) {
      if (parameter.required) throw new ArgumentError(`${parameter.argument} is missing`);
      continue;
    }
    place(parameter, value, { headers, query, cookies, segments });
  }
  // What follows these is not part of a path, though documents have it there.
  const [whole = ""] = path.split("#", 1);
  const [route = "", fixed] = whole.split("?", 2);
  const url = urlOf(server, route, segments);
  if (fixed !== undefined && fixed !== "") query.unshift(fixed.replaceAll(/[^\w&=%.~:/+,-]/g, percent));
  const content = body && argumentIn(input, body.argument);
  if (!body || content === undefined) {
    if (body?.required) throw new ArgumentError(`${body.argument} is missing`);
    return { method, url, query, headers, cookies };
  }
  assertFields(content, body);
  const encoded = encodeBody(content, body, boundary);
  headers.set("content-type", encoded.contentType);
  return { method, url, query, headers, cookies, body: encoded.body };
}

/** @throws ArgumentError if a field, or a member of one, would be sent as another field. */
function assertFields(content: unknown, { argument, fields, members: names }: OperationBody): void {
  if (!isPlainObject(content)) return;
  assertMembers({ argument, ...(names && { members: names }) }, content);
  for (const [name, { members }] of fields) {
    if (members && Object.hasOwn(content, name))
      assertMembers({ argument: `${argument}.${name}`, members }, content[name]);
  }
}

/** An argument; `null` counts as absent, unless it is the body. */
function argumentIn(input: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(input, name) ? input[name] : undefined;
}

interface Places {
  readonly headers: Map<string, string>;
  readonly query: string[];
  readonly cookies: string[];
  readonly segments: Map<string, string>;
}

function place(
  parameter: OperationParameter,
  value: unknown,
  { headers, query, cookies, segments }: Places,
): void {
  const { name, argument } = parameter;
  if (value === null && parameter.mediaType === undefined) {
    if (parameter.required) throw new ArgumentError(`${argument} is null, and it is needed`);
    return;
  }
  assertMembers(parameter, value);
  const problem = misfit(parameter.in, value) ?? memberProblem(parameter.in, value, parameter);
  if (problem !== undefined) throw new ArgumentError(`${argument} ${problem}`);
  switch (parameter.in) {
    case "path":
      segments.set(name, serializePath(name, value, parameter));
      break;
    case "query":
      query.push(...serializePairs(name, value, parameter));
      break;
    case "header": {
      const text = serializeHeader(value, parameter);
      if (!headerValue.test(text) || !token.test(name)) {
        throw new ArgumentError(`${argument} holds characters that a header cannot, such as a line break`);
      }
      headers.set(name.toLowerCase(), text.trim());
      break;
    }
    case "cookie":
      // A reserved `;` would begin another cookie.
      cookies.push(...serializePairs(name, value, { ...parameter, allowReserved: false }));
      break;
  }
}

/** @throws ArgumentError if a value would lead to another path than the operation's. */
function urlOf(server: string, path: string, segments: ReadonlyMap<string, string>): string {
  const filled = path.replaceAll(placeholder, (whole, name: string) => {
    const segment = segments.get(name);
    if (segment === undefined) throw new ArgumentError(`${whole} in the path ${path} has no value`);
    return segment;
  });
  const rooted = filled.startsWith("/") ? filled : `/${filled}`;
  // URLs drop segments of dots, also encoded ones, and with them what stands before.
  const [steps = ""] = rooted.split(/[?#]/);
  if (steps.split(/[\\/]/).some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment)))
    throw new ArgumentError(`a step of the path ${path} is . or .., which would lead elsewhere`);
  // Whatever else the document has there cannot stand in a path.
  return `${server}${rooted.replaceAll(/[\s\\<>"^`{|}]/g, (char) => percent(char))}`;
}

/** The address of a request, with its query. */
export function addressOf({ url, query }: PreparedRequest): string {
  return query.length === 0 ? url : `${url}?${query.join("&")}`;
}

/** A cookie as its pair. */
export function cookiePair(name: string, value: unknown): string {
  return `${percent(name)}=${percent(textOf(value))}`;
}

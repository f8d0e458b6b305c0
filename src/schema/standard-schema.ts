import { ConfigurationError, SchemaNotFoundError } from "../errors.ts";
import { ignoreRejections } from "../base/util/dropped-promises.ts";
import { isPromiseLike } from "../base/util/promise-like.ts";
import { errorMessage } from "../base/util/error-message.ts";
import type { Issue, JsonSchema, Schema, Validation } from "./types.ts";
import { isObject } from "../base/util/json.ts";
import type { StandardIssue, StandardResult, StandardSchema } from "./standard-types.ts";
import { validateNow, validateStandard } from "./validate-standard.ts";

export type { StandardIssue, StandardResult, StandardSchema } from "./standard-types.ts";

/** Whether `value` is a schema that follows Standard Schema version 1; some libraries make them functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  const standard: unknown = "~standard" in value ? value["~standard"] : undefined;
  return isObject(standard) && standard["version"] === 1 && typeof standard["validate"] === "function";
}

/**
 * A library's schema as a `Schema`. The JSON Schema is the one that the library itself gives for the input (Standard JSON
 * Schema, draft 2020-12); validation is the library's, and its output is the value.
 * `validate` throws a `ConfigurationError` where the library can only answer later: use `validateAsync`.
 *
 * @throws SchemaNotFoundError if the schema does not give its JSON Schema; the message says how to make it do so.
 */
export function fromStandardSchema<Output>(schema: StandardSchema<unknown, Output>): Schema<Output> {
  const standard = schema["~standard"];
  return {
    jsonSchema: inputSchema(standard),
    validate(value) {
      let result;
      try {
        result = validateNow(schema, value);
      } catch (error) {
        return failure(error);
      }
      return result ? toValidation(result, value) : refuse(standard.vendor);
    },
    async validateAsync(value) {
      try {
        return toValidation(await validateStandard(schema, value), value);
      } catch (error) {
        return failure(error);
      }
    },
  };
}

/** What the library says of its schema's input, without the `$schema` that a model need not read. */
function inputSchema(standard: StandardSchema["~standard"]): JsonSchema {
  const { vendor } = standard;
  const converter: unknown = "jsonSchema" in standard ? standard.jsonSchema : undefined;
  if (!isObject(converter) || typeof converter["input"] !== "function") {
    throw new SchemaNotFoundError(withoutConverter(vendor), { data: { vendor } });
  }
  let schema: unknown;
  try {
    schema = converter["input"]({ target: "draft-2020-12" });
  } catch (cause) {
    const reason = errorMessage(cause).replace(/\.$/, "");
    const message = `${vendor} cannot write this schema as JSON Schema: ${reason}. Use only types that JSON has for a tool's input, or give the JSON Schema itself.`;
    throw new SchemaNotFoundError(message, { data: { vendor }, cause });
  }
  if (isPromiseLike(schema)) {
    ignoreRejections(schema);
    const message = `The function jsonSchema.input of this ${vendor} schema returns a promise. Return the JSON Schema itself.`;
    throw new SchemaNotFoundError(message, { data: { vendor } });
  }
  if (!isObject(schema)) {
    throw new SchemaNotFoundError(`${vendor} gave no JSON Schema for this schema.`, { data: { vendor } });
  }
  const { $schema: _, ...rest } = schema;
  return rest;
}

/**
 * What a library says of its schema's output; `undefined` where it does not, as for a transform, which may make anything of the
 * input.
 */
export function outputJsonSchema(schema: StandardSchema): JsonSchema | undefined {
  const standard = schema["~standard"];
  const converter: unknown = "jsonSchema" in standard ? standard.jsonSchema : undefined;
  if (!isObject(converter) || typeof converter["output"] !== "function") return undefined;
  try {
    const output: unknown = converter["output"]({ target: "draft-2020-12" });
    ignoreRejections(output);
    return isObject(output) && !isPromiseLike(output) ? output : undefined;
  } catch {
    // The one way in which libraries say that they cannot.
  }
  return undefined;
}

/** What to do about a library whose schemas do not give their JSON Schema. */
function withoutConverter(vendor: string): string {
  const problem = `A ${vendor} schema of this version does not give its JSON Schema.`;
  const valibot = "@valibot/to-json-schema";
  if (vendor === "valibot") {
    return `${problem} Run "npm install ${valibot}" and write input: toStandardJsonSchema(schema), with import { toStandardJsonSchema } from "${valibot}".`;
  }
  if (vendor === "zod" || vendor === "arktype")
    return `${problem} Newer ones do: run "npm install ${vendor}@latest".`;
  return `${problem} Use a library that does (Standard JSON Schema), such as zod 4.2, or give the JSON Schema itself.`;
}

/** Schemas that validate asynchronously are not supported here. */
function refuse(vendor: string): never {
  throw new ConfigurationError(
    `This ${vendor} schema validates asynchronously: call validateAsync instead of validate.`,
    { code: "asynchronous-schema", data: { vendor } },
  );
}

/** How many issues are passed on: a library may report one for each item of a long list, and a reader needs few. */
const mostIssues = 100;

function toValidation<Output>(result: StandardResult<Output>, value: unknown): Validation<Output> {
  if (!result.issues) return { ok: true, value: result.value };
  return { ok: false, issues: result.issues.slice(0, mostIssues).map((issue) => toIssue(issue, value)) };
}

function toIssue({ message, path = [] }: StandardIssue, value: unknown): Issue {
  // Not path.map: some libraries' paths are arrays of a class of their own, and so would be what map makes.
  const keys = Array.from(path, (segment) => {
    const key = typeof segment === "object" ? segment.key : segment;
    return typeof key === "symbol" ? String(key) : key;
  });
  const received = at(value, keys);
  return { path: keys, message, ...(received !== undefined && { received }) };
}

/** What stands at `path` in `value`; `undefined` if nothing does. */
function at(value: unknown, path: readonly (string | number)[]): unknown {
  let target: unknown = value;
  for (const key of path) {
    if (typeof target !== "object" || target === null || !Object.hasOwn(target, key)) return undefined;
    target = Reflect.get(target, key);
  }
  return target;
}

/** A refinement or transform that throws says that the value is not to its liking. */
function failure(error: unknown): Validation<never> {
  return { ok: false, issues: [{ path: [], message: `could not be checked: ${errorMessage(error)}` }] };
}

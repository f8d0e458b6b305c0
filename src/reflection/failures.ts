import { SchemaNotFoundError } from "../errors.ts";
import { errorMessage } from "../util/error-message.ts";

/** What a programmer can do about a function without a schema. */
const remedies =
  "Give the schema yourself, with tool(fn, { input: schema }) or " +
  "tool({ name, description, input: schema, execute: fn }); or let it be found: on Node 22.18 or newer, or Deno, with the " +
  "source files present, or, without them, when the program is built (skein/plugin) or loaded (--import skein/register).";

/** The error for a function whose schema cannot be found. Names the function, or the start of its text. */
export function notFound(
  fn: Function,
  reason: string,
  options: { readonly file?: string | undefined; readonly cause?: unknown } = {},
): SchemaNotFoundError {
  const { file, cause } = options;
  const where = file === undefined ? "" : ` in ${file}`;
  return new SchemaNotFoundError(`No schema is found for ${nameFor(fn)}${where}: ${reason}. ${remedies}`, {
    data: { function: fn.name, file },
    cause,
  });
}

/** The error for a function that could not be looked for. */
export function broken(fn: Function, error: unknown): SchemaNotFoundError {
  return notFound(fn, permissionReason(error) ?? errorMessage(error), { cause: error });
}

/** The error for a function that TypeScript was asked for and did not answer: its process was ended, or it has a bug. */
export function failed(fn: Function, error: unknown): SchemaNotFoundError {
  const reason =
    permissionReason(error) ??
    `TypeScript failed (${errorMessage(error)}), and is started anew at the next try`;
  return notFound(fn, reason, { cause: error });
}

function permissionReason(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error && error.code === "ERR_ACCESS_DENIED") {
    return "under --permission, finding it needs --allow-inspector, --allow-child-process and --allow-fs-read";
  }
  if (error.name !== "NotCapable") return undefined;
  return "under Deno, finding it needs --allow-env, --allow-read, --allow-write, --allow-run and --allow-sys";
}

function nameFor(fn: Function): string {
  if (fn.name !== "") return `the function "${fn.name}"`;
  const text = Function.prototype.toString.call(fn).replace(/\s+/g, " ");
  return `the function \`${text.length > 60 ? `${text.slice(0, 60)}...` : text}\``;
}

/** What a programmer can do about a type without a schema. */
const typeRemedies =
  "Write the type where output is called, output<YourType>(), in a file whose source is there, on Node 22.18 or newer, or " +
  "Deno; or have it found when the program is built (skein/plugin) or loaded (--import skein/register); or give a JSON " +
  "Schema, or a zod, valibot or arktype schema instead.";

/** The error for a call of `output` whose type cannot be read. */
export function typeNotFound(reason: string, cause?: unknown): SchemaNotFoundError {
  return new SchemaNotFoundError(`No schema is found for output<...>(): ${reason}. ${typeRemedies}`, {
    cause,
  });
}

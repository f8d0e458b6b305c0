import { SchemaNotFoundError } from "../errors.ts";

/** What a programmer can do today about a function without a schema. */
const remedies =
  "Give the schema yourself, with tool(fn, { input: schema }) or " +
  "tool({ name, description, input: schema, execute: fn }), or run on Node 22.18 or newer with the source files present.";

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

function nameFor(fn: Function): string {
  if (fn.name !== "") return `the function "${fn.name}"`;
  const text = Function.prototype.toString.call(fn).replace(/\s+/g, " ");
  return `the function \`${text.length > 60 ? `${text.slice(0, 60)}...` : text}\``;
}

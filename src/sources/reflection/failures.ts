import { SchemaNotFoundError } from "../../errors.ts";
import { errorMessage } from "../../base/util/error-message.ts";

/** What always helps, in every place: a schema of the function's own. */
export const writeSchema = "write tool({ name, description, input: schema, execute })";

/** What else an error of a function says. */
export interface FailureOptions {
  /** Where the function was looked for. */
  readonly file?: string | undefined;
  /** One sentence without its end: what to do; left out where the reason says so. */
  readonly remedy?: string | undefined;
  readonly cause?: unknown;
}

/** The error for a function whose schema cannot be found. Names the function, or the start of its text. */
export function notFound(fn: Function, reason: string, options: FailureOptions = {}): SchemaNotFoundError {
  const { file, remedy, cause } = options;
  const where = file === undefined ? "" : ` in ${file}`;
  const fix = remedy === undefined ? "" : ` ${remedy}.`;
  return new SchemaNotFoundError(`No schema is found for ${nameFor(fn)}${where}: ${reason}.${fix}`, {
    data: { function: fn.name, file },
    cause,
  });
}

/** The error for a function that could not be looked for. */
export function broken(fn: Function, error: unknown): SchemaNotFoundError {
  const reason = permissionReason(error) ?? errorMessage(error);
  return notFound(fn, reason, { cause: helpfulCause(error), remedy: `Mend that, or ${writeSchema}` });
}

/** What the system or Node reports under a code, a missing file say, is in the message already: its stack is Node's own. */
export function helpfulCause(error: unknown): unknown {
  return error instanceof Error && "code" in error ? undefined : error;
}

/** Errors that the next try may not have: a process was ended, a package was missing. */
const failures = new WeakSet<SchemaNotFoundError>();

/** Notes that an error says nothing about the function itself. */
export function asFailure(error: SchemaNotFoundError): SchemaNotFoundError {
  failures.add(error);
  return error;
}

/** Whether an error says nothing about the function itself. */
export function isFailure(error: unknown): boolean {
  return error instanceof SchemaNotFoundError && failures.has(error);
}

/** Which permission is missing, where that is why something failed. */
export function permissionReason(error: unknown): string | undefined {
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
const typeRemedy =
  "Write the type where output is called, output<YourType>(), in a file whose source is there; or give a JSON Schema, or a " +
  "zod, valibot or arktype schema instead";

/** The error for a call of `output` whose type cannot be read. `remedy` is one sentence without its end. */
export function typeNotFound(
  reason: string,
  { remedy = typeRemedy, cause }: Pick<FailureOptions, "remedy" | "cause"> = {},
): SchemaNotFoundError {
  return new SchemaNotFoundError(`No schema is found for output<...>(): ${reason}. ${remedy}.`, { cause });
}

import { safeMessage } from "../base/util/error-message.ts";
import { ConfigurationError } from "../errors.ts";
import { isError } from "../base/util/is-error.ts";

/** What engines throw for mistakes in a program. */
const bugs: ReadonlySet<string> = new Set(["TypeError", "ReferenceError", "RangeError"]);

/** Codes of errors for mistakes that no model can correct: of the program, or of its installation. */
const mistakes: ReadonlySet<string> = new Set([
  "invalid-option",
  "invalid-schema",
  "missing-package",
  "sandbox-unavailable",
]);

/** What engines say where something frozen is changed. */
const frozen = /read.?only property|not extensible|cannot delete property|not configurable/i;

/**
 * A mistake in a tool's code, in a sentence for its author; `undefined` for errors of other kinds. Errors of the platform about
 * what was passed to it, such as an invalid URL or a failed `fetch`, have a code or a cause, and are none.
 */
export function describeBug(toolName: string, error: unknown): string | undefined {
  try {
    // Mistakes in policies have warnings of their own.
    if (error instanceof ConfigurationError && mistakes.has(error.code))
      return `${toolName} threw ${error.name}: ${sentence(error.message)}`;
    if (!isError(error) || !bugs.has(error.name)) return undefined;
    if ("code" in error || error.cause !== undefined) return undefined;
    const place = placeOf(error);
    const message = safeMessage(error);
    const hint = frozen.test(message)
      ? " The context is frozen: return result({ context: { ... } }) to change it."
      : "";
    return `${toolName} threw ${error.name}${place === undefined ? "" : ` at ${place}`}: ${sentence(message)}${hint}`;
  } catch {
    // An error whose own properties throw says nothing that can be passed on.
    return undefined;
  }
}

function sentence(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`;
}

/** Where the package is, if it is not bundled with the program. */
const ownFolder = /\S*[/\\](?:src[/\\](?=executor[/\\])|skein[/\\]dist[/\\])/
  .exec(firstFrame())?.[0]
  .replace(/^\(/, "");

function firstFrame(): string {
  return new Error("").stack?.split("\n").find((line) => /:\d+:\d+\)?$/.test(line)) ?? "";
}

/**
 * The file and line in the program that the throw comes from, with the folder it is in: whole paths are nobody else's business.
 * `undefined` where the tool is the package's own.
 */
function placeOf({ stack, message }: Error): string | undefined {
  if (typeof stack !== "string") return undefined;
  // Not every engine writes the message before the frames.
  const start = stack.indexOf(message);
  const frames = start < 0 ? stack : stack.slice(start + message.length);
  for (const line of frames.split("\n")) {
    // What called the tool is behind this frame.
    if (/\bperformTool\b/.test(line)) return undefined;
    if (ownFolder !== undefined && line.includes(ownFolder)) continue;
    const match =
      /((?:[^\s/\\():@]+[/\\])?[^\s/\\():@]+\.[cm]?[jt]sx?)(?:\?[^\s:]*)?:(\d+)(?::\d+)?\)?$/.exec(
        line.trim(),
      );
    if (match) return `${match[1]?.replaceAll("\\", "/")}:${match[2]}`;
  }
  return undefined;
}

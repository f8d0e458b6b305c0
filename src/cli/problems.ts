import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Finding } from "../check/types.ts";
import { SchemaNotFoundError } from "../errors.ts";
import { errorMessage } from "../util/error-message.ts";
import { isPlainObject } from "../util/json.ts";
import type { Place } from "../util/place.ts";

/** What keeps a tool from having a schema, each at its place; what is known of none stands at `place`. */
export function problemsOf(error: unknown, place: Place): readonly Finding[] {
  const data = error instanceof SchemaNotFoundError ? error.data : {};
  const { problems, errors, function: name } = data;
  if (Array.isArray(errors)) {
    const all = errors
      .filter(isPlainObject)
      .flatMap((each) => signatureProblems(each["problems"], each["function"]));
    if (all.length > 0) return all;
  }
  const own = signatureProblems(problems, name);
  return own.length > 0 ? own : [{ message: errorMessage(error), place }];
}

function signatureProblems(problems: unknown, name: unknown): readonly Finding[] {
  if (!Array.isArray(problems)) return [];
  return problems.filter(isPlainObject).flatMap((problem): Finding[] => {
    const { parameter, message, file, line, remedy } = problem;
    if (typeof file !== "string" || typeof line !== "number") return [];
    const path = typeof parameter === "string" ? parameter : "";
    const subject = path === "" ? "" : `parameter ${path}: `;
    return [
      {
        place: placeOnLine(file, line, /\w+(?=\W*$)/.exec(path)?.[0] ?? ""),
        message: `${subject}${String(message)}.`,
        ...(typeof remedy === "string" && { help: remedy }),
        ...(typeof name === "string" && name !== "" && { tool: name }),
      },
    ];
  });
}

/** Where a word stands on a line; all that the line says if it does not. */
function placeOnLine(file: string, line: number, word: string): Place {
  const text = readFileSync(file, "utf8").split(/\r?\n/)[line - 1] ?? "";
  const found = word === "" ? -1 : text.indexOf(word);
  if (found >= 0) return { file, line, column: found + 1, length: word.length };
  const start = text.search(/\S/);
  return { file, line, column: Math.max(0, start) + 1, length: Math.max(1, text.trim().length) };
}

/** The first place in `file` that an error's stack, or that of its cause, names. */
export function placeInStack(error: unknown, file: string): Place | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    for (const [, url = "", line, column] of (at.stack ?? "").matchAll(
      /\(?(file:[^\s()]+?):(\d+)(?::(\d+))?\)?$/gm,
    )) {
      if (pathOf(url) === file) return { file, line: Number(line), column: Number(column ?? 1), length: 1 };
    }
  }
  return undefined;
}

function pathOf(url: string): string | undefined {
  return URL.canParse(url) ? fileURLToPath(url.replace(/[?#].*$/, "")) : undefined;
}

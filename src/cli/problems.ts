import { existsSync, readFileSync } from "node:fs";
import { basename, isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import type { Finding } from "../check/types.ts";
import { SchemaNotFoundError } from "../errors.ts";
import { errorMessage } from "../base/util/error-message.ts";
import { isPlainObject } from "../base/util/json.ts";
import type { Place } from "../base/util/place.ts";

/** This package's own files: a failure there says nothing about the user's files. */
const ownFolder = fileURLToPath(new URL("..", import.meta.url));

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
  const index = word === "" ? -1 : text.indexOf(word);
  if (index >= 0) return { file, line, column: index + 1, length: word.length };
  const start = text.search(/\S/);
  return { file, line, column: Math.max(0, start) + 1, length: Math.max(1, text.trim().length) };
}

/** Where CommonJS exports a name, or exports at all. */
export function placeOfExport(file: string, name: string): Place | undefined {
  const lines = readFileSync(file, "utf8").split(/\r?\n/);
  const own = lines.findIndex((line) => line.includes(`exports.${name}`));
  const line = own < 0 ? lines.findIndex((each) => /\bmodule\.exports\b/.test(each)) : own;
  return line < 0 ? undefined : placeOnLine(file, line + 1, name);
}

/** Where loading `file` failed: there, else in a file of the program that it imports, else at the import of what is missing. */
export function placeOfFailure(error: unknown, file: string): Place | undefined {
  const places = placesInStacks(error);
  const own = places.find((place) => place.file === file);
  if (own) return own;
  const message = error instanceof Error ? error.message : "";
  const [, specifier, importer] =
    /Cannot find (?:package|module) '([^']+)' imported from (\S+)/.exec(message) ?? [];
  const missing = specifier !== undefined && importer !== undefined && placeOfImport(importer, specifier);
  return (
    missing ||
    places.find((place) => !/[\\/]node_modules[\\/]/.test(place.file) && !place.file.startsWith(ownFolder))
  );
}

/** The line that imports a package, or a file by a path that ends as its own. */
function placeOfImport(importer: string, specifier: string): Place | undefined {
  const word = isAbsolute(specifier) ? basename(specifier) : specifier;
  const lines = existsSync(importer) ? readFileSync(importer, "utf8").split(/\r?\n/) : [];
  const line = lines.findIndex((each) => /\b(?:from|import|require)\b/.test(each) && each.includes(word));
  return line < 0 ? undefined : placeOnLine(importer, line + 1, word);
}

/** The places in files that the stack of an error, and those of its causes, name. Those of Node (`node:internal/...`) are none. */
function placesInStacks(error: unknown): readonly Place[] {
  const places: Place[] = [];
  for (let at = error; at instanceof Error; at = at.cause) {
    for (const [, url = "", line, column] of (at.stack ?? "").matchAll(
      /(?<=[\s(])((?:file:|\/|[a-zA-Z]:[\\/])[^\s()]+?):(\d+)(?::(\d+))?\)?$/gm,
    )) {
      const file = pathOf(url);
      if (file !== undefined)
        places.push({ file, line: Number(line), column: Number(column ?? 1), length: 1 });
    }
  }
  return places;
}

function pathOf(url: string): string | undefined {
  if (isAbsolute(url)) return url;
  return URL.canParse(url) ? fileURLToPath(url.replace(/[?#].*$/, "")) : undefined;
}

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { commonJsRemedy } from "./common-js-remedy.ts";
import { errorMessage } from "../base/util/error-message.ts";

const ownFolder = new URL(".", import.meta.url).href;

/**
 * What a module threw while it was loaded, in words: with the place of a syntax error, with the command that installs what
 * is missing, else with the lines of its stack that are the module's.
 */
export async function loadFailure(error: unknown, file: string): Promise<string> {
  if (!(error instanceof Error)) return errorMessage(error);
  const unparsed = await unparsedPlace(error);
  if (unparsed !== undefined) return unparsed;
  const title = `${error.name}: ${error.message}`;
  const missing = missingPackage(error);
  if (missing !== undefined) return `${title}\nIs it installed? Try: npm install ${missing}`;
  const frames = framesOf(error);
  const remedy = commonJsRemedy(error, fileIn(frames[0]) ?? file);
  // A text that a running module could not parse, JSON say, has frames of that module.
  const place =
    error instanceof SyntaxError && frames.length === 0
      ? (placeIn(error.stack ?? "") ?? placeIn(await complaintOf(file)))
      : undefined;
  const places = place === undefined ? frames.slice(0, 5) : [place];
  return [title, ...places, ...(remedy === undefined ? [] : [remedy])].join("\n");
}

/** The file that a line of a stack names. */
function fileIn(frame: string | undefined): string | undefined {
  const url = /(file:[^\s()]+?):\d+:\d+\)?$/.exec(frame ?? "")?.[1];
  return url === undefined ? undefined : fileURLToPath(url.replace(/[?#].*$/, ""));
}

/** The lines of a stack that lie neither in Node nor in the command, which comes below the module. */
function framesOf(error: Error): readonly string[] {
  const lines = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const own = lines.findIndex((line) => line.includes(ownFolder));
  return lines.slice(0, own < 0 ? undefined : own).filter((line) => !/[( ]node:/.test(line));
}

/** The loader names the file that it cannot parse, but no place in it: TypeScript does. */
async function unparsedPlace(error: Error): Promise<string | undefined> {
  const url = /^Failed to (?:parse|transform) (file:\S+?):\s/.exec(error.message)?.[1];
  if (url === undefined) return undefined;
  const { openCompiler } = await import("../sources/compiler/index.ts");
  const compiler = await openCompiler();
  const [first] = compiler.syntaxErrors(fileURLToPath(url));
  compiler.close();
  if (first === undefined) return undefined;
  const { file, line, column } = first.place;
  const source = readFileSync(file, "utf8").split(/\r?\n/)[line - 1] ?? "";
  return `SyntaxError: ${first.message}\n    at ${file}:${line}:${column}\n${source}\n${" ".repeat(column - 1)}^`;
}

/** The package that an import names and that is not there. */
function missingPackage(error: Error): string | undefined {
  if (!("code" in error && /^(?:ERR_)?MODULE_NOT_FOUND$/.test(String(error.code)))) return undefined;
  const name = /^Cannot find (?:package|module) '([^']+)'/.exec(error.message)?.[1] ?? "";
  return /^(?:@[^/]+\/)?[^@./\\:][^/\\:]*(?=\/|$)/.exec(name)?.[0];
}

/** Node puts the place before a syntax error: a line `file:line`, the source, carets beneath what is wrong. */
function placeIn(complaint: string): string | undefined {
  const [head = "", ...lines] = complaint.split("\n");
  const [, file, line] = /^(.+):(\d+)$/.exec(head) ?? [];
  const carets = lines.findIndex((text) => /^\s*\^+\s*$/.test(text));
  const marks = lines[carets];
  if (file === undefined || marks === undefined) return undefined;
  const path = file.startsWith("file:") ? fileURLToPath(file) : file;
  const source = lines[carets - 1] ?? "";
  return `    at ${path}:${line}:${marks.indexOf("^") + 1}\n${source}\n${marks.trimEnd()}`;
}

/** Node reports where a syntax error in plain JavaScript is only when it is started with the file. */
function complaintOf(file: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, ["--check", file], (_failure, _stdout, stderr) => resolve(stderr));
  });
}

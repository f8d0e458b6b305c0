import { isAbsolute, relative } from "node:path";
import { SchemaNotFoundError } from "../../errors.ts";
import type { FunctionSchema } from "../../schema/function-schema.ts";
import type { Node } from "./host.ts";
import { listLines } from "./problem-list.ts";

/** Why a signature has no schema. */
export interface Problem {
  /** The parameter, or the path to a property of it, such as `options.when`; empty for the function as a whole. */
  readonly parameter: string;
  readonly message: string;
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly kind: ProblemKind;
}

/** A type that JSON Schema cannot express, or a parameter about which nothing is known. */
export type ProblemKind = "inexpressible" | "untyped";

/** Collects what goes wrong, or only half right, while one function is described. */
export interface Report {
  readonly problems: readonly Problem[];
  /** Whole sentences with `file:line`. */
  readonly warnings: readonly string[];
  problem(parameter: string, node: Node, message: string, kind?: ProblemKind): void;
  warning(parameter: string, node: Node, message: string): void;
}

/** The warning of a schema for which TypeScript does not distinguish `string | null` from `string`. */
export const unseenNull = "without strictNullChecks, null in a type is not seen: turn it on in tsconfig.json";

/** Makes an empty report. */
export function createReport(): Report {
  const problems: Problem[] = [];
  const warnings: string[] = [];
  /** One thing may be wrong at many places of a type. */
  const reported = new Set<string>();
  return {
    problems,
    warnings,
    problem: (path, node, message, kind = "inexpressible") => {
      const problem = { parameter: withoutDot(path), message, ...placeOf(node), kind };
      const text = problemText(problem);
      if (!reported.has(text)) problems.push(problem);
      reported.add(text);
    },
    warning: (path, node, message) => {
      const text = problemText({ parameter: withoutDot(path), message, ...placeOf(node) });
      if (!warnings.includes(text)) warnings.push(text);
    },
  };
}

/** A property of what is destructured belongs to nothing that has a name. */
function withoutDot(path: string): string {
  return path.replace(/^\./, "");
}

/** `file:line` of a node, as people read it. */
export function placeText(node: Node): string {
  const { file, line } = placeOf(node);
  return `${displayPath(file)}:${line}`;
}

/** The file and the line (from 1) on which a node starts. */
function placeOf(node: Node): { readonly file: string; readonly line: number } {
  const file = node.getSourceFile();
  return { file: file.fileName, line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1 };
}

/** A path as people read it: relative to the working directory where it lies within. */
export function displayPath(file: string): string {
  const path = relative(process.cwd(), file);
  return path === "" || path.startsWith("..") || isAbsolute(path) ? file : path;
}

/** What an error says of a signature besides its problems. */
export interface SignatureErrorOptions {
  /** Declared `private` or `protected`: a toolkit leaves the method out. */
  readonly isHidden?: boolean;
  /** Where a method of JavaScript is written of which nothing shows whether it is public. */
  readonly memberAt?: string | undefined;
  /** How arguments are placed, where every parameter is known. */
  readonly placement?: FunctionSchema | undefined;
  /** What to do about parameters without a type, or about all of them where there is a summary; by default what fits the file. */
  readonly remedy?: string;
  /** What is wrong with the function, such as `takes a ToolContext`, where the problems' kinds do not say it. */
  readonly summary?: string;
}

/** The error for a function whose signature has problems: it names each of them, and what to do. */
export function signatureError(
  functionName: string,
  problems: readonly Problem[],
  { isHidden = false, memberAt, placement, remedy, summary }: SignatureErrorOptions = {},
): SchemaNotFoundError {
  const name = functionName === "" ? "an anonymous function" : `"${functionName}"`;
  const list = listLines(problems.map(problemText));
  const untyped = problems.filter(({ kind }) => kind === "untyped");
  const isUntyped = untyped.length === problems.length;
  const what = isUntyped ? "has parameters whose type is not known" : "cannot be expressed as a JSON Schema";
  const fixes = [
    untyped.length > 0 ? (remedy ?? typeRemedy(untyped)) : "",
    isUntyped ? "" : inexpressibleRemedy(summary, remedy),
  ].filter((fix) => fix !== "");
  return new SchemaNotFoundError(
    `The signature of ${name} ${summary ?? what}:\n${list}\n${fixes.join("\n")}`,
    {
      data: {
        function: functionName,
        problems: problems.map((problem) => ({ ...problem, remedy: remedyOf(problem, remedy, summary) })),
        ...(placement && untyped.length === 0 && { placement: JSON.parse(JSON.stringify(placement)) }),
        ...(isHidden ? { hidden: true } : {}),
        ...(memberAt === undefined ? {} : { memberAt }),
      },
    },
  );
}

function inexpressibleRemedy(summary: string | undefined, remedy: string | undefined): string {
  if (summary !== undefined && remedy !== undefined) return remedy;
  return "Change these types, or give the schema yourself: tool(fn, { input: schema }).";
}

/** A JavaScript file, in which types are written as comments. */
export function isJavaScript(file: string): boolean {
  return /\.[cm]?jsx?$/.test(file);
}

/** What to do about one problem alone. */
function remedyOf(problem: Problem, remedy: string | undefined, summary: string | undefined): string {
  if (problem.kind === "untyped") return remedy ?? typeRemedy([problem]);
  if (summary !== undefined && remedy !== undefined) return remedy;
  return "Change the type, or give the schema yourself: tool(fn, { input: schema }).";
}

/** What to do about a function of JavaScript that reads `arguments`, which no comment gives a type. */
export const restRemedy =
  "take what it reads of arguments as a rest parameter: (...values), with @param {...string} values in the comment";

/** What to write where a type is missing. */
function typeRemedy([first, ...others]: readonly Problem[]): string {
  if (first === undefined) return "";
  if (first.parameter === "arguments" && isJavaScript(first.file)) return `Mend it: ${restRemedy}.`;
  const subject = others.length === 0 ? "its type" : "their types";
  const name = /^[\w$.]+$/.test(first.parameter) ? first.parameter : "name";
  return isJavaScript(first.file)
    ? `Write ${subject} in a JSDoc comment, such as @param {string} ${name}, or write tool({ name, input, execute }).`
    : `Write ${subject}, such as ${name.split(".").at(-1)}: string.`;
}

/** A problem in words, with `file:line`. */
function problemText({ parameter, message, file, line }: Omit<Problem, "kind">): string {
  const subject = parameter === "" ? "" : `parameter "${parameter}": `;
  return `${subject}${message} (${displayPath(file)}:${line})`;
}

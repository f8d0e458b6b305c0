import { isAbsolute, relative } from "node:path";
import { SchemaNotFoundError } from "../errors.ts";
import type { Node } from "./host.ts";

/** Something in a signature that JSON Schema cannot say. */
export interface Problem {
  /** The parameter, or the path to a property of it, such as `options.when`; empty for the function as a whole. */
  readonly parameter: string;
  readonly message: string;
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
}

/** Collects what goes wrong, or only half right, while one function is described. */
export interface Report {
  readonly problems: readonly Problem[];
  /** Whole sentences with `file:line`. */
  readonly warnings: readonly string[];
  problem(parameter: string, node: Node, message: string): void;
  warning(parameter: string, node: Node, message: string): void;
}

/** Makes an empty report. */
export function createReport(): Report {
  const problems: Problem[] = [];
  const warnings: string[] = [];
  return {
    problems,
    warnings,
    problem: (parameter, node, message) => {
      problems.push({ parameter, message, ...placeOf(node) });
    },
    warning: (parameter, node, message) => {
      warnings.push(sentence({ parameter, message, ...placeOf(node) }));
    },
  };
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

/** The error for a function whose signature has problems: it names each of them. */
export function signatureError(
  functionName: string,
  problems: readonly Problem[],
  isHidden: boolean,
): SchemaNotFoundError {
  const name = functionName === "" ? "an anonymous function" : `"${functionName}"`;
  const list = problems.map((problem) => `  - ${sentence(problem)}`).join("\n");
  return new SchemaNotFoundError(
    `The signature of ${name} cannot be expressed as a JSON Schema:\n${list}\n` +
      "Change these types, or give the schema yourself: tool(fn, { input: schema }).",
    {
      data: {
        function: functionName,
        problems: problems.map((problem) => ({ ...problem })),
        ...(isHidden ? { hidden: true } : {}),
      },
    },
  );
}

function sentence({ parameter, message, file, line }: Problem): string {
  const subject = parameter === "" ? "" : `parameter "${parameter}": `;
  return `${subject}${message} (${displayPath(file)}:${line})`;
}

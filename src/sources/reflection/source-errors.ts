import { existsSync } from "node:fs";
import { displayPath } from "../compiler/diagnostics.ts";
import type { Compiler, FunctionDescription } from "../compiler/index.ts";
import { SchemaNotFoundError } from "../../errors.ts";

/** How many of TypeScript's messages an error repeats. */
const most = 5;

/** Why TypeScript cannot read a file; `undefined` if it can. */
export function unreadableReason(compiler: Compiler, file: string): string | undefined {
  if (!existsSync(file)) return "the file is gone: put it back, or start the program again";
  const [first] = compiler.syntaxErrors(file);
  if (first === undefined) return undefined;
  const { message, place } = first;
  return `TypeScript cannot read it, for line ${place.line}, column ${place.column} is wrong (${withoutDot(message)}): mend it and try again`;
}

/** A description, with what TypeScript does not find in the file if that may be why there is none. */
export function withUnresolvedNames(
  compiler: Compiler,
  file: string,
  description: FunctionDescription,
): FunctionDescription {
  if (!(description instanceof SchemaNotFoundError)) return description;
  const files = new Set([file, ...problemFiles(description)]);
  const errors = [...files].flatMap((each) => compiler.unresolvedNames(each));
  if (errors.length === 0) return description;
  const list = errors
    .slice(0, most)
    .map(({ message, place }) => `  - ${message} (${displayPath(place.file)}:${place.line})`);
  return new SchemaNotFoundError(`${description.message}\nTypeScript does not find:\n${list.join("\n")}`, {
    data: description.data,
  });
}

function problemFiles({ data }: SchemaNotFoundError): readonly string[] {
  const problems = Array.isArray(data["problems"]) ? data["problems"] : [];
  return problems.flatMap((problem: unknown) => {
    if (typeof problem !== "object" || problem === null || !("file" in problem)) return [];
    return typeof problem.file === "string" ? [problem.file] : [];
  });
}

function withoutDot(message: string): string {
  return message.replace(/\.$/, "");
}

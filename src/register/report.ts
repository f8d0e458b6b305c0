import { errorMessage } from "../util/error-message.ts";

/** Says which tools have no schema. */
export function reportProblems(problems: readonly string[]): void {
  for (const problem of problems) process.stderr.write(`skein: ${problem}\n`);
}

/** Says that a file is loaded as it is. */
export function reportFailure(file: string, error: unknown): void {
  process.stderr.write(`skein: no schemas are attached in ${file}: ${errorMessage(error)}\n`);
}

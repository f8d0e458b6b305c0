import { errorMessage } from "../../base/util/error-message.ts";

/** What was printed: a file may be loaded several times, and a package's function used in several. */
const printed = new Set<string>();

/** Says which tools have no schema, each once. */
export function reportProblems(problems: readonly string[]): void {
  for (const problem of problems) {
    if (!printed.has(problem)) process.stderr.write(`skein: ${problem}\n`);
    printed.add(problem);
  }
}

/** Says that a file is loaded as it is. */
export function reportFailure(file: string, error: unknown): void {
  process.stderr.write(`skein: no schemas are attached in ${file}: ${errorMessage(error)}\n`);
}

import type { Report } from "../diagnostics.ts";
import type { Node } from "../host.ts";

/** Something that a type has and JSON cannot carry, or can carry only in part. */
export interface AttemptFinding {
  readonly path: string;
  readonly node: Node;
  readonly message: string;
}

/** Attempts to convert what may be left out: what goes wrong in them stays in them. */
export interface Attempts {
  /** What the innermost attempt reports to; outside of any, the function's own report. */
  readonly report: Report;
  /** Runs `convert`; gives the first problem instead of its result if there is any. */
  run<Result>(
    convert: () => Result,
  ): { readonly result: Result; readonly problem?: never } | { readonly problem: AttemptFinding };
  /** Why the innermost attempt has failed: what else there is of it is of no use. */
  failure(): AttemptFinding | undefined;
  /** Whether any attempt is running. */
  isRunning(): boolean;
}

interface Attempt {
  readonly problems: AttemptFinding[];
  readonly warnings: AttemptFinding[];
}

/** Starts outside of any attempt. */
export function createAttempts(outer: Report): Attempts {
  const running: Attempt[] = [];
  const report: Report = {
    problems: outer.problems,
    warnings: outer.warnings,
    problem: (path, node, message, ...rest) => {
      const attempt = running.at(-1);
      if (attempt) attempt.problems.push({ path, node, message });
      else outer.problem(path, node, message, ...rest);
    },
    warning: (path, node, message) => {
      const attempt = running.at(-1);
      if (attempt) attempt.warnings.push({ path, node, message });
      else outer.warning(path, node, message);
    },
  };
  return {
    report,
    run(convert) {
      const attempt: Attempt = { problems: [], warnings: [] };
      running.push(attempt);
      const result = convert();
      running.pop();
      const [problem] = attempt.problems;
      if (problem) return { problem };
      for (const { path, node, message } of attempt.warnings) report.warning(path, node, message);
      return { result };
    },
    failure: () => running.at(-1)?.problems[0],
    isRunning: () => running.length > 0,
  };
}

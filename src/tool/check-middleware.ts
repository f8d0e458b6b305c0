import { closest } from "../base/util/closest.ts";
import { invalidOption } from "../base/options/known-options.ts";
import type { StepMiddleware } from "./step-middleware.ts";

type FunctionName = Exclude<keyof StepMiddleware, "wholeAnswers">;

const ofSteps: ReadonlySet<string> = new Set(["model", "tool"] satisfies readonly FunctionName[]);
const ofRuns: ReadonlySet<string> = new Set(["run", "step"]);

/**
 * @param place where the list is set: `run()`, or an agent.
 * @param isOfRun whether functions around whole runs can be in it.
 * @throws ConfigurationError (`invalid-option`) for what is not a list of middlewares.
 */
export function assertMiddleware(middleware: unknown, place: string, isOfRun: boolean): void {
  if (middleware === undefined) return;
  if (!Array.isArray(middleware)) throw invalid(`middleware of ${place} must be a list: middleware: [...].`);
  for (const [index, each] of middleware.entries())
    assertOne(each, `middleware[${index}] of ${place}`, isOfRun);
}

function assertOne(entry: unknown, place: string, isOfRun: boolean): void {
  const names = [...ofSteps, ...ofRuns].filter((name) => functionOf(entry, name, place) !== undefined);
  if (typeof entry === "object" && entry !== null) {
    assertSpelling(entry, place);
    assertFlag(Reflect.get(entry, "wholeAnswers"), place);
  }
  if (names.length === 0)
    throw invalid(
      `${place} has no function to call. Write { tool: async (call, info, next) => next(call) }.`,
    );
  const wrong = isOfRun ? undefined : names.find((name) => ofRuns.has(name));
  if (wrong !== undefined)
    throw invalid(
      `${place} has the function "${wrong}", which stands around runs. Pass it in the options of run().`,
    );
}

/** A misspelled function would never be called. */
function assertSpelling(entry: object, place: string): void {
  const available = [...ofSteps, ...ofRuns];
  for (const name of Object.keys(entry)) {
    if (name === "name" || available.includes(name) || typeof Reflect.get(entry, name) !== "function")
      continue;
    const [near] = closest(name, available, 1);
    if (near !== undefined)
      throw invalid(`${place} has an unknown function "${name}". Did you mean "${near}"?`);
  }
}

function assertFlag(flag: unknown, place: string): void {
  if (flag === undefined || typeof flag === "boolean") return;
  throw invalid(`"wholeAnswers" of ${place} must be true or false.`);
}

function functionOf(entry: unknown, name: string, place: string): unknown {
  if (typeof entry !== "object" || entry === null)
    throw invalid(`${place} must be an object with functions.`);
  const value: unknown = Reflect.get(entry, name);
  if (value === undefined || typeof value === "function") return value;
  throw invalid(`"${name}" of ${place} must be a function.`);
}

function invalid(message: string): Error {
  return invalidOption(message, { option: "middleware" });
}

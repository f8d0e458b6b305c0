import { ConfigurationError, SkeinError } from "../../errors.ts";
import { printStep, type StepKey } from "../../message/step-key.ts";
import { safeMessage } from "../../base/util/error-message.ts";
import { isPlainObject } from "../../base/util/json.ts";
import { problemOfGeneration } from "../../model/assert-generation.ts";
import { withoutSecrets } from "../../model/secrets.ts";
import type { ActiveRun } from "../state/active-run.ts";
import type { Middleware } from "./middleware.ts";
import { isStoredCounts, isStoredText } from "./stored-counts.ts";

/** Names a function of a middleware by its place in the list that the program wrote. */
export function placeOf({ config, agent }: ActiveRun, each: Middleware, name: string): string {
  const index = config.listed.indexOf(each);
  if (index >= 0) return `The function \`${name}\` of middleware[${index}]`;
  const own = agent.middleware?.indexOf(each) ?? -1;
  if (own >= 0) return `The function \`${name}\` of middleware[${own}] of the agent "${agent.name}"`;
  return `The function \`${name}\` of a middleware or journal`;
}

/** The error for a function of a middleware that does not keep to its contract. */
export function invalidMiddleware(message: string): ConfigurationError {
  return new ConfigurationError(message, { code: "invalid-middleware" });
}

/** The error for what the own code of a middleware's function throws. */
export function middlewareFailed(place: string, error: unknown): SkeinError {
  const cause = withoutSecrets(error);
  return new SkeinError(`${place} failed: ${safeMessage(error)}`, { code: "middleware-failed", cause });
}

/** @throws ConfigurationError unless it is a run's result. */
export function assertRunResult(result: unknown, place: string): void {
  if (isPlainObject(result) && typeof result["status"] === "string" && Array.isArray(result["messages"]))
    return;
  throw invalidMiddleware(`${place} must return a run's result, such as that of next().`);
}

/** @throws ConfigurationError unless the value can be that of the step. */
export function assertStepValue(key: StepKey, value: unknown, place: string): void {
  if (isStepValue(key, value)) return;
  throw invalidMiddleware(
    `${place} returned an invalid value for the step "${printStep(key)}". Return what next() returns, or what it returned before.`,
  );
}

function isStepValue({ kind, parent, id }: StepKey, value: unknown): boolean {
  // An agent within a run is remembered by its answer.
  if (kind === "run" && (parent !== undefined || id !== "")) return isStoredText(value);
  // Nothing is called within a step of the run's own.
  if (kind === "step") return parent === undefined ? typeof value === "string" : isStoredText(value);
  if (!isPlainObject(value)) return false;
  if (kind === "run") return typeof value["runId"] === "string";
  if (kind === "summary") return typeof value["text"] === "string";
  if (kind === "model") return problemOfGeneration(value) === undefined;
  const { result, waiting, counts = {} } = value;
  if (isPlainObject(result))
    return (
      typeof result["toolCallId"] === "string" && Array.isArray(result["content"]) && isStoredCounts(counts)
    );
  return isPlainObject(waiting) && isPlainObject(waiting["toolCall"]);
}

import { formatPath } from "../../schema/format-path.ts";
import type { ToolCall } from "../../message/messages.ts";
import type { Issue, Schema, Validation } from "../../schema/types.ts";
import { withMatcher } from "../../schema/patterns/pattern.ts";
import { thrownResult, wholeValueOf } from "../finalize.ts";
import { LazySignal, settle, type Settlement } from "../settle.ts";
import type { CallOutcome, Policy, ReadyCall } from "../types.ts";
import { isMasked } from "./mask.ts";

/** Milliseconds that the check may take. */
const longest = 60_000;

/** How many issues are reported, and how much of each, in characters. */
const mostIssues = 5;
const longestIssue = 300;

/**
 * Checks what the tool returned, before anything of it is left out, against its output schema: what does not fit is an error, and a warning to the application. Where results
 * are masked, both say only where it does not fit: what is wrong there may be what must not be seen.
 */
export const validateOutput: Policy = (next, tool) => async (ready) => {
  const outcome = await next(ready);
  if (!("result" in outcome) || outcome.result.isError || outcome.agent) return outcome;
  const { outputSchema } = tool;
  if (outputSchema) return checked(ready, outputSchema, outcome, isMasked(tool));
  ready.scope.observer.warn(
    `${tool.name} has validateOutput, but no output schema to check its results against.`,
  );
  return outcome;
};

async function checked(
  { call, scope }: ReadyCall,
  schema: Schema,
  outcome: Extract<CallOutcome, { result: unknown }>,
  isDiscreet: boolean,
): Promise<CallOutcome> {
  const value = wholeValueOf(outcome);
  if (value === undefined) {
    // The tool has done its work, and nothing shows that it did so badly.
    scope.observer.warn(`${call.toolName} returned more than can be checked against its output schema.`);
    return outcome;
  }
  const settled = await check(value, schema, scope.signal);
  // What the tool has done stays done when the run is cancelled.
  if (settled.kind === "cancelled" || (settled.kind === "value" && settled.value.ok)) return outcome;
  if (settled.kind === "error" && !isDiscreet) throw settled.error;
  const problem = problemOf(call, schema, settled, isDiscreet);
  scope.observer.warn(problem);
  const error = new Error(problem);
  return { result: thrownResult(call, error), error };
}

/** A schema of the program's own may be slow, and may throw. */
function check(
  value: unknown,
  schema: Schema,
  signal: AbortSignal | undefined,
): Promise<Settlement<Validation<unknown>>> {
  const checking = async (): Promise<Validation<unknown>> =>
    schema.validateAsync ? schema.validateAsync(value) : withMatcher(() => schema.validate(value));
  return settle(checking(), new LazySignal(), longest, signal);
}

const notReported = "What is wrong is not reported, since results of the tool are masked.";

function problemOf(
  { toolName }: ToolCall,
  schema: Schema,
  settled: Settlement<Validation<unknown>>,
  isDiscreet: boolean,
): string {
  if (settled.kind === "error") return `The check of what ${toolName} returned failed. ${notReported}`;
  if (settled.kind !== "value" || settled.value.ok)
    return `The check of what ${toolName} returned did not finish within ${longest} ms.`;
  const problem = `${toolName} returned a value that does not match its output schema`;
  const { issues } = settled.value;
  if (!isDiscreet) return `${problem}:\n${describeIssues(issues)}`;
  return `${problem} at ${describePlaces(issues, schema)}. ${notReported}`;
}

/** Where issues are, in words of the schema alone: a name in a result may be a value itself. */
function describePlaces(issues: readonly Issue[], { jsonSchema }: Schema): string {
  const words = JSON.stringify(jsonSchema);
  const textOf = (step: string | number): string =>
    words.includes(`${JSON.stringify(step)}:`) ? `.${step}` : "[*]";
  const places = issues.map(({ path }) => `$${path.map(textOf).join("")}`);
  return [...new Set(places)].slice(0, mostIssues).join(", ");
}

function describeIssues(issues: readonly Issue[]): string {
  const lines = issues
    .slice(0, mostIssues)
    .map(({ path, message }) => `- ${formatPath(path)}: ${message.slice(0, longestIssue)}`);
  if (issues.length > mostIssues) lines.push(`- and ${issues.length - mostIssues} more`);
  return lines.join("\n");
}

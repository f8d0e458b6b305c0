import { formatPath } from "../../schema/format-path.ts";
import type { Issue, Schema } from "../../schema/types.ts";
import { withMatcher } from "../../schema/patterns/pattern.ts";
import { thrownResult, valueOf } from "../finalize.ts";
import { LazySignal, settle } from "../settle.ts";
import type { CallOutcome, Policy, ReadyCall } from "../types.ts";

/** Milliseconds that the check may take. */
const longest = 60_000;

/** How many issues are reported, and how much of each, in characters. */
const mostIssues = 5;
const longestIssue = 300;

/** Checks what the tool returned against its output schema: what does not fit is an error, and a warning to the application. */
export const validateOutput: Policy = (next, tool) => async (ready) => {
  const outcome = await next(ready);
  if (!("result" in outcome) || outcome.result.isError || outcome.agent) return outcome;
  const { outputSchema } = tool;
  if (outputSchema) return checked(ready, outputSchema, outcome);
  ready.scope.observer.warn(
    `${tool.name} has validateOutput, but no output schema to check its results against.`,
  );
  return outcome;
};

async function checked(
  { call, scope }: ReadyCall,
  schema: Schema,
  outcome: Extract<CallOutcome, { result: unknown }>,
): Promise<CallOutcome> {
  const value = valueOf(outcome.result);
  const checking = schema.validateAsync
    ? schema.validateAsync(value)
    : withMatcher(() => schema.validate(value));
  const settled = await settle(Promise.resolve(checking), new LazySignal(), longest, scope.signal);
  if (settled.kind === "error") throw settled.error;
  // What the tool has done stays done when the run is cancelled.
  const validation = settled.kind === "value" ? settled.value : undefined;
  if (settled.kind === "cancelled" || validation?.ok) return outcome;
  const problem = validation
    ? `${call.toolName} returned a value that does not match its output schema:\n${describeIssues(validation.issues)}`
    : `The check of what ${call.toolName} returned did not finish within ${longest} ms.`;
  scope.observer.warn(problem);
  const error = new Error(problem);
  return { result: thrownResult(call, error), error };
}

function describeIssues(issues: readonly Issue[]): string {
  const lines = issues
    .slice(0, mostIssues)
    .map(({ path, message }) => `- ${formatPath(path)}: ${message.slice(0, longestIssue)}`);
  if (issues.length > mostIssues) lines.push(`- and ${issues.length - mostIssues} more`);
  return lines.join("\n");
}

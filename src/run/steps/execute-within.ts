import { executeBatch } from "../../executor/execute-batch.ts";
import type { BatchOutcome, ExecutionScope } from "../../executor/types.ts";
import type { ToolCall } from "../../message/messages.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { aroundCalls } from "./around-calls.ts";
import { BatchFailure } from "./batch-failure.ts";
import { rememberCalls } from "./remember-calls.ts";

/** What a batch of calls leads to. */
export interface BatchWithin {
  readonly outcomes: readonly BatchOutcome[];
  /** What the run fails with once the outcomes are in its history. */
  readonly failure?: { readonly error: unknown } | undefined;
}

/** Executes calls within the run's middlewares. A call that a failed batch did not execute stays open: a resumed run executes it. */
export async function executeWithin(
  run: ActiveRun,
  calls: readonly ToolCall[],
  scope: ExecutionScope,
): Promise<BatchWithin> {
  const failure = new BatchFailure();
  const outcomes = await executeBatch(calls, {
    ...scope,
    execute: rememberCalls(run, scope.execute, failure),
    around: aroundCalls(run, failure),
  });
  if (run.config.parent) failure.failAgent();
  const { first } = failure;
  if (!first) return { outcomes };
  // A run that was cancelled meanwhile leaves no call open.
  if (scope.signal?.aborted) return { outcomes: outcomes.map((each) => ended(each, scope)), failure: first };
  const executed = outcomes.map((outcome, index): BatchOutcome => {
    const blocked = "result" in outcome && outcome.isUnstarted && calls[index];
    return blocked ? { blocked } : outcome;
  });
  return { outcomes: executed, failure: first };
}

/** The outcome of a call that does not stay open after all. */
function ended(outcome: BatchOutcome, { observer }: ExecutionScope): BatchOutcome {
  if (!("result" in outcome) || !outcome.isLeftOpen) return outcome;
  const { isLeftOpen: _, ...settled } = outcome;
  observer.end(settled, 0);
  return settled;
}

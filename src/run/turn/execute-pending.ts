import { isStuck } from "../../executor/corrections.ts";
import { executeCall } from "../../executor/execute-call.ts";
import type { Execute } from "../../executor/types.ts";
import { chain, type MaybePromise } from "../../base/util/maybe-promise.ts";
import { isCorrection } from "../../message/is-correction.ts";
import type { ToolResult } from "../../message/messages.ts";
import type { Blocked, PendingCall } from "../../message/run-state.ts";
import { loadBlocked, loadRepeats, loadSteps } from "../features.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { goOn, stop, type Next } from "../state/outcome.ts";
import { unfinishedFinal } from "../resume/unfinished-final.ts";
import { remembersSteps } from "../steps/perform-step.ts";
import { appendResults } from "./append-results.ts";
import { scopeOf, toolStep } from "./tool-step.ts";
import type { Turn, TurnEnd } from "./turn.ts";

const defaultMaxCorrections = 3;

/**
 * Executes the pending calls. Those that wait for a decision or a result pause the run, and with `executeTools: false`
 * all of them, but for those of tools that the caller may not use.
 * @param execute - Executes one call; as a tool's policies have it by default.
 */
export async function executePending(run: ActiveRun, turn: Turn, execute?: Execute): Promise<TurnEnd> {
  const calls = inOrder(run);
  const results = await resultsOf(run, turn, calls, execute);
  return chain(afterCalls(run, turn, results), (next) => ({ results, next }));
}

function resultsOf(
  run: ActiveRun,
  turn: Turn,
  calls: readonly PendingCall[],
  execute: Execute | undefined,
): MaybePromise<readonly ToolResult[]> {
  if (calls.length === 0) return [];
  if (run.config.options.executeTools === false)
    return chain(finish(run, turn, calls), async (finished) => {
      const ids = new Set(finished.map(({ toolCallId }) => toolCallId));
      const open = calls.filter(({ toolCallId }) => !ids.has(toolCallId));
      return [...finished, ...(await denyRefused(run, turn, open))];
    });
  return toolStep(run, turn.tools, calls, execute);
}

/** Answers the calls that were executed before, in a process that died, or that failed: the program is not to do them once more. */
function finish(
  run: ActiveRun,
  { tools }: Turn,
  calls: readonly PendingCall[],
): MaybePromise<readonly ToolResult[]> {
  if (!run.isAnswerEarlier || !remembersSteps(run)) return [];
  return chain(loadSteps(), async ({ finishedCalls }) => {
    const finished = await finishedCalls(run, calls, scopeOf(run, tools, executeCall));
    return finished.length === 0 ? [] : toolStep(run, tools, finished);
  });
}

/** Answers calls of tools that the caller may not use: the program is not to do them, either. No middleware is asked, nothing executed. */
async function denyRefused(
  run: ActiveRun,
  { tools }: Turn,
  calls: readonly PendingCall[],
): Promise<readonly ToolResult[]> {
  const refused = calls.filter(({ toolName }) => tools.refused.has(toolName));
  if (refused.length === 0) return [];
  const scope = scopeOf(run, tools, executeCall);
  const outcomes = await Promise.all(refused.map((call) => executeCall(call, scope)));
  const results = outcomes.flatMap((outcome) => ("result" in outcome ? [outcome.result] : []));
  appendResults(run, results);
  return results;
}

/** The pending calls, those last that get the results of others. */
function inOrder({ conversation: { pending, nested } }: ActiveRun): readonly PendingCall[] {
  if (nested.length === 0) return pending;
  const sharing = new Set(nested.flatMap((work) => (work.sharedWith === undefined ? [] : work.toolCallId)));
  const isSharing = ({ toolCallId }: PendingCall): number => Number(sharing.has(toolCallId));
  return pending.toSorted((one, other) => isSharing(one) - isSharing(other));
}

function afterCalls(run: ActiveRun, turn: Turn, results: readonly ToolResult[]): MaybePromise<Next> {
  if (run.config.scope.isCancelled) return stop({ status: "cancelled" });
  if (run.blocked) return endBlocked(run, run.blocked);
  if (run.conversation.pending.length > 0)
    return stop({ status: isOverLimit(run) ? "max-tool-calls" : "paused" });
  const text = unfinishedFinal(run.conversation.messages);
  if (text !== undefined) return endWith(turn, text);
  if (hasCorrection(results) && repeatsMistakes(run)) return stop({ status: "corrections" });
  const { maxRepeats } = run.config.options;
  return maxRepeats === undefined ? goOn : unlessRepeating(run, results, maxRepeats);
}

async function endBlocked(run: ActiveRun, blocked: Blocked): Promise<Next> {
  const { next } = await (await loadBlocked()).endBlocked(run, blocked);
  return next;
}

async function unlessRepeating(run: ActiveRun, results: readonly ToolResult[], most: number): Promise<Next> {
  const { isRepeating } = await loadRepeats();
  return isRepeating(run, results, most) ? stop({ status: "repeating" }) : goOn;
}

/** Whether calls are pending for the limit of tool calls alone: where others wait, there is something to be done about those first. */
function isOverLimit({ config: { limits }, conversation: { pending, nested } }: ActiveRun): boolean {
  if (!limits.isReached || nested.length > 0) return false;
  return !pending.some((call) => limits.isWaiting(call));
}

/** Ends a run with the text of a tool. */
export async function endWith({ output: collector }: Turn, text: string): Promise<Next> {
  const output = await collector?.parse(text);
  return stop({ status: "completed", text, output });
}

function hasCorrection(results: readonly ToolResult[]): boolean {
  return results.some(({ outcome }) => isCorrection(outcome));
}

/** Whether the model goes on making mistakes with a tool, however often it is corrected. */
function repeatsMistakes({ config, conversation }: ActiveRun): boolean {
  const { resumed, options } = config;
  // A run that goes on where one ended for this reason gives the model as many chances again.
  const from = resumed?.status === "corrections" ? conversation.inputLength : 0;
  return isStuck(conversation.messages, options.maxCorrections ?? defaultMaxCorrections, from);
}

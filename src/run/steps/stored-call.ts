import { findOnlyAgent } from "../../agent/namesakes.ts";
import type { SettledCall, WaitingCall } from "../../executor/types.ts";
import { textResult, wholeValueOf } from "../../executor/finalize.ts";
import { isObject, isPlainObject, type JsonValue } from "../../base/util/json.ts";
import type { ToolResult } from "../../message/messages.ts";
import { changeOf, clearedIn } from "../../message/cleared.ts";
import type { AgentLike } from "../../tool/agent-like.ts";
import { agentOfState } from "../resume/agents-of-state.ts";
import type { StoredCounts } from "../state/call-limits.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { storedContext } from "../state/stored-context.ts";

/** What is kept of a call: plain JSON, so an agent by its name. */
export type StoredCall =
  | (Omit<SettledCall, "agent" | "error" | "value" | "permitted" | "meta"> & {
      /** The calls that are counted by then: a run that is started again does not execute them. */
      readonly counts?: StoredCounts;
      readonly agent?: string;
      readonly cleared?: readonly string[];
      /** What it returned is not for histories, and is not kept. */
      readonly isMasked?: true;
      /** What it returned, for the tool that has called it, where the result does not have all of that. */
      readonly whole?: JsonValue;
    })
  | WaitingCall;

/** Agents that calls of runs have returned, by what is stored of them: a run that goes on has them still. */
const returned = new WeakMap<StoredCall, { readonly run: ActiveRun; readonly agent: AgentLike }>();

/** Calls that wait, by what is stored of them: the run itself has their input as the tool would get it. */
const waitingCalls = new WeakMap<StoredCall, { readonly run: ActiveRun; readonly outcome: WaitingCall }>();

/**
 * An outcome as plain JSON.
 * @param isWithin - Whether a tool has made the call: it gets what was returned whole.
 * @param counts - The calls that are counted by now.
 */
export function toStoredCall(
  run: ActiveRun,
  outcome: SettledCall | WaitingCall,
  isWithin: boolean,
  counts?: StoredCounts,
): StoredCall {
  if ("waiting" in outcome) return toStoredWaiting(run, outcome);
  const { agent, context, value, ...others } = outcome;
  const { error: _error, permitted: _permitted, cut: _cut, meta: _meta, ...rest } = others;
  const stored = context && storedContext(run, context);
  const isPassedOn = isWithin && value === undefined && outcome.cut !== undefined;
  const whole = isPassedOn ? storableWhole(outcome) : undefined;
  const call: StoredCall = {
    ...rest,
    ...(counts && { counts }),
    ...(whole !== undefined && { whole }),
    // Nobody gets it, as before.
    ...(isPassedOn && whole === undefined && { cut: {} }),
    ...(isObject(stored) && { context: stored }),
    ...clearedIn(context),
    ...(agent && { agent: agent.name }),
    ...(value !== undefined && { isMasked: true }),
  };
  if (agent) returned.set(call, { run, agent });
  return call;
}

/** Reading it may fail: then the tool that made the call has learned that, too. */
function storableWhole(outcome: SettledCall): JsonValue | undefined {
  try {
    return wholeValueOf(outcome);
  } catch {
    return undefined;
  }
}

function toStoredWaiting(run: ActiveRun, outcome: WaitingCall): StoredCall {
  const stored = { ...outcome, waiting: { ...outcome.waiting, input: outcome.visibleInput } };
  waitingCalls.set(stored, { run, outcome });
  return stored;
}

/**
 * The outcome that was stored. An agent that this run does not have is looked up by its name.
 * @throws AgentNotFoundError
 */
export function outcomeOf(run: ActiveRun, stored: StoredCall | SettledCall): SettledCall | WaitingCall {
  if ("waiting" in stored) {
    const live = waitingCalls.get(stored);
    return live?.run === run ? live.outcome : stored;
  }
  if (stored.blocked) run.block(stored.blocked);
  if (isLive(stored)) return stored;
  const live = returned.get(stored);
  const {
    agent: name,
    isMasked: _,
    counts: _counts,
    whole,
    context: _context,
    cleared: _cleared,
    ...others
  } = stored;
  const context = changeOf(stored);
  const rest = {
    ...others,
    ...(whole !== undefined && { cut: { returned: whole } }),
    ...(stored.isNotRepeated && { result: notKept(stored.result) }),
    ...(context && { context }),
  };
  if (name === undefined) return rest;
  if (live?.run === run) return { ...rest, agent: live.agent };
  const what = `${stored.result.toolName} has returned`;
  const agent = findOnlyAgent(name, [run.agent]) ?? agentOfState(name, run.config, what);
  return { ...rest, agent };
}

/** What the tool that made a call gets of it which is not made again, and whose value is not kept. */
function notKept({ toolCallId, toolName }: ToolResult): ToolResult {
  const text = `${toolName} was done before, and what it returned is not kept. It is not called again by itself.`;
  return textResult({ toolCallId, toolName, arguments: "" }, text, "cancelled");
}

/** Whether it is the outcome itself: masked values are not stored. */
function isLive(outcome: StoredCall | SettledCall): outcome is SettledCall {
  return "agent" in outcome && isObject(outcome.agent);
}

/** Whether a value is what is stored of a call that waits for a decision. */
export function isStoredWaiting(value: unknown): value is WaitingCall {
  return (
    isPlainObject(value) && isPlainObject(value["waiting"]) && isPlainObject(value["waiting"]["toolCall"])
  );
}

/** Whether a value is what is stored of a call that is finished. */
export function isStoredCall(value: unknown): value is StoredCall {
  return isPlainObject(value) && isPlainObject(value["result"]);
}

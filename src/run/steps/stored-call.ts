import { findOnlyAgent } from "../../agent/namesakes.ts";
import type { SettledCall, WaitingCall } from "../../executor/types.ts";
import { hasUnkeptValue } from "../../executor/unkept-value.ts";
import { isObject, isPlainObject } from "../../base/util/json.ts";
import { changeOf, clearedIn } from "../../message/cleared.ts";
import type { AgentLike } from "../../tool/agent-like.ts";
import { agentOfState } from "../resume/agents-of-state.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { storedContext } from "../state/stored-context.ts";

/** What is kept of a call: plain JSON, so an agent by its name. */
export type StoredCall =
  | (Omit<SettledCall, "agent" | "error" | "value" | "cut" | "permitted"> & {
      readonly agent?: string;
      readonly cleared?: readonly string[];
      /** What it returned is not for histories, or too long for them, and is not kept. */
      readonly isMasked?: true;
    })
  | WaitingCall;

/** Agents that calls of runs have returned, by what is stored of them: a run that goes on has them still. */
const returned = new WeakMap<StoredCall, { readonly run: ActiveRun; readonly agent: AgentLike }>();

/** Calls that wait, by what is stored of them: the run itself has their input as the tool would get it. */
const waitingCalls = new WeakMap<StoredCall, { readonly run: ActiveRun; readonly outcome: WaitingCall }>();

/** An outcome as plain JSON. */
export function toStoredCall(run: ActiveRun, outcome: SettledCall | WaitingCall): StoredCall {
  if ("waiting" in outcome) return toStoredWaiting(run, outcome);
  const { agent, context, error: _error, permitted: _permitted, value: _value, cut: _cut, ...rest } = outcome;
  const stored = context && storedContext(run, context);
  const call: StoredCall = {
    ...rest,
    ...(isObject(stored) && { context: stored }),
    ...clearedIn(context),
    ...(agent && { agent: agent.name }),
    ...(hasUnkeptValue(outcome) && { isMasked: true }),
  };
  if (agent) returned.set(call, { run, agent });
  return call;
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
  if (isLive(stored)) return stored;
  const live = returned.get(stored);
  const { agent: name, isMasked: _, context: _context, cleared: _cleared, ...others } = stored;
  const context = changeOf(stored);
  const rest = { ...others, ...(context && { context }) };
  if (name === undefined) return rest;
  if (live?.run === run) return { ...rest, agent: live.agent };
  const what = `${stored.result.toolName} has returned`;
  const agent = findOnlyAgent(name, [run.agent]) ?? agentOfState(name, run.config, what);
  return { ...rest, agent };
}

/** Whether it is the outcome itself: masked values are not stored. */
function isLive(outcome: StoredCall | SettledCall): outcome is SettledCall {
  return "agent" in outcome && isObject(outcome.agent);
}

/** Whether a value is what is stored of a call that is finished. */
export function isStoredCall(value: unknown): value is StoredCall {
  return isPlainObject(value) && isPlainObject(value["result"]);
}

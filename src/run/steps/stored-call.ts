import { findOnlyAgent } from "../../agent/namesakes.ts";
import type { SettledCall, WaitingCall } from "../../executor/types.ts";
import { isObject, isPlainObject } from "../../base/util/json.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { storedContext } from "../state/stored-context.ts";

/** What is kept of a call: plain JSON, so an agent by its name. */
export type StoredCall =
  | (Omit<SettledCall, "agent" | "error" | "value"> & {
      readonly agent?: string;
      /** Its value is not for histories, and is not kept. */
      readonly isMasked?: true;
    })
  | WaitingCall;

/** An outcome as plain JSON. */
export function toStoredCall(run: ActiveRun, outcome: SettledCall | WaitingCall): StoredCall {
  if ("waiting" in outcome) return outcome;
  const { agent, context, error: _error, value, ...rest } = outcome;
  const stored = context && storedContext(run, context);
  return {
    ...rest,
    ...(isObject(stored) && { context: stored }),
    ...(agent && { agent: agent.name }),
    ...(value !== undefined && { isMasked: true }),
  };
}

/** The outcome that was stored. An agent is looked up by its name. */
export function outcomeOf(run: ActiveRun, stored: StoredCall): SettledCall | WaitingCall {
  if ("waiting" in stored) return stored;
  const { agent: name, isMasked: _, ...rest } = stored;
  const agent =
    name === undefined
      ? undefined
      : (findOnlyAgent(name, [run.agent]) ?? findOnlyAgent(name, run.config.roots));
  return { ...rest, ...(agent && { agent }) };
}

/** Whether a value is what is stored of a call that is finished. */
export function isStoredCall(value: unknown): value is StoredCall {
  return isPlainObject(value) && isPlainObject(value["result"]);
}

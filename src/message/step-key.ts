import { fingerprint } from "../base/util/fingerprint.ts";

/** What a step does: asks a model, calls a tool, sums a history up, runs an agent, or is a step of a tool's own (`context.step`). */
export type StepKind = "model" | "tool" | "summary" | "run" | "step";

/**
 * Names one step of a run, as plain JSON. The same step of a run that is started again has the same key, whatever ran beside
 * it: keys are compared, their order never counts.
 */
export interface StepKey {
  /** The run's own id; that of an agent within a run is made of the step around it. */
  readonly runId: string;
  /** The model calls of the run so far, over all resumptions; 0 for what comes before the first. */
  readonly turn: number;
  readonly kind: StepKind;
  /** Tells the steps of one kind in one turn apart: the id of a call, the name of an agent. Empty where there is only one. */
  readonly id: string;
  /** Set for a call on which a person has decided: the one that asked for the decision is another step. */
  readonly decided?: true;
  /** The step around this one: the call whose tool calls a tool or runs an agent. */
  readonly parent?: StepKey;
}

/**
 * A key as text: `turn-2/tool/call_1`, and within that call `turn-2/tool/call_1/run/Helper/turn-1/model`, where the id of a
 * call or run that a tool makes has a fingerprint of its input. Two keys of one
 * program's run have the same text only if they name the same step.
 */
export function printStep({ turn, kind, id, decided, parent }: StepKey): string {
  const ending = decided ? "/decided" : "";
  const name = `${kind}${id === "" ? "" : "/"}${escaped(id)}${ending}`;
  if (parent === undefined) return turn === 0 ? name : `turn-${turn}/${name}`;
  // What a call does itself is of the turn of that call.
  return parent.kind === "run" && turn > 0
    ? `${printStep(parent)}/turn-${turn}/${name}`
    : `${printStep(parent)}/${name}`;
}

/**
 * The key of a call of an agent's own model.
 * @param step - The printed step that is the agent's run.
 */
export function printCallOfAgent(step: string, turn: number, toolCallId: string): string {
  return `${step}/turn-${turn}/tool/${escaped(toolCallId)}`;
}

function escaped(id: string): string {
  return id.replaceAll(/[%/]/g, encodeURIComponent);
}

/** The agent or tool that a printed step within a call runs; `undefined` if the text names none. */
export function calleeOfStep(step: string): string | undefined {
  const id = idOfStep(step);
  return id === undefined || id === toolAgentId ? undefined : /^(.*)\/[0-9a-f]{16}(?:\/\d+)?$/s.exec(id)?.[1];
}

/** The id of a printed step; `undefined` if the text is none. */
export function idOfStep(step: string): string | undefined {
  try {
    return decodeURIComponent(step.slice(step.lastIndexOf("/") + 1));
  } catch {
    return undefined;
  }
}

/** Whether a printed step may be the run of the agent that a tool was made of: earlier versions named that by the agent, without an input. */
export function isOfToolAgent(step: string): boolean {
  return idOfStep(step)?.endsWith(`/${fingerprint("")}`) === true;
}

/** What tells the agent that a tool was made of from others within its call: not its name, which may change between two builds. */
export const toolAgentId: string = `agent/${fingerprint("")}`;

/** Names a step among those of all runs, with the run: the id of a run that is this step, and a call's idempotency key. */
export function runIdWithin(step: StepKey): string {
  return `${outermostRunId(step)}/${printStep(step)}`;
}

/** The id of the program's run that a step is in, whatever is around it. */
export function outermostRunId({ runId, parent }: StepKey): string {
  return parent === undefined ? runId : outermostRunId(parent);
}

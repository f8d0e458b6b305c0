import { decidableCalls } from "../../message/nested-work.ts";
import type { RunState } from "../../message/run-state.ts";
import type { ActiveRun } from "./active-run.ts";
import { earlierApprovals, isCertain } from "./may-have-begun.ts";

/** What a state says of the open calls of a run that has ended before they have: which of them may have begun. */
type OpenWork = Pick<RunState, "underWay" | "interrupted" | "isLeftToProgram">;

/**
 * The state that a run was to resume, where it has not gone on from there, since it failed or was cancelled before: what that says of its
 * calls holds still.
 */
export function stateBefore({ config, hasGoneOn, isOpen }: ActiveRun): RunState | undefined {
  return hasGoneOn || isOpen ? undefined : config.resumed;
}

/** The name of the agent at which a run stands. One that has not gone on may have failed as it looked for that. */
export function leadOf(run: ActiveRun): string {
  return stateBefore(run)?.agent ?? run.nextAgent.name;
}

/** What was known of open calls when the run was resumed is known still, with what it has begun itself. */
export function openWorkOf(run: ActiveRun): OpenWork {
  const before = stateBefore(run);
  if (before) return fieldsOf(before);
  const isLeftToProgram = wasLeftToProgram(run) ? true : undefined;
  // While it goes on, nobody knows: a process that finds it so has found one that died.
  if (!run.hasFailed && !run.outcome) return fieldsOf({ isLeftToProgram });
  const all = callsUnderWay(run);
  const underWay = run.hasFailed || all.length > 0 ? all : undefined;
  return fieldsOf({ underWay, interrupted: interruptedApprovals(run), isLeftToProgram });
}

function fieldsOf({
  underWay,
  interrupted,
  isLeftToProgram,
}: {
  readonly [Name in keyof OpenWork]?: OpenWork[Name] | undefined;
}): OpenWork {
  return {
    ...(underWay && { underWay }),
    ...(interrupted && { interrupted }),
    ...(isLeftToProgram && { isLeftToProgram }),
  };
}

/** Whether the open calls are those of an answer that this run, or one before it, had with `executeTools: false`. */
function wasLeftToProgram({ conversation, config, isAnswerEarlier }: ActiveRun): boolean {
  if (conversation.pending.length === 0) return false;
  if (config.options.executeTools === false) return true;
  return isAnswerEarlier && config.resumed?.isLeftToProgram === true;
}

/** The open calls that have begun in a run which an error has ended, or in the one that it resumed. One that waits has not been interrupted. */
function callsUnderWay({ underWay, hasFailed, conversation, config }: ActiveRun): readonly string[] {
  const { pending } = conversation;
  const all = new Set([...(config.resumed?.underWay ?? []), ...(hasFailed ? underWay : [])]);
  // The id of a call that a tool makes begins with that of its call.
  return [...all].filter((id) =>
    pending.some(({ toolCallId }) => id === toolCallId || id.startsWith(`${toolCallId}/`)),
  );
}

/** The approvals of calls that may have been under way when a process died; `undefined` where none has, or none of its calls is open. */
function interruptedApprovals(run: ActiveRun): readonly string[] | undefined {
  const { conversation, config } = run;
  const { pending, nested } = conversation;
  if (pending.length === 0 || !run.isAnswerEarlier || isCertain(run)) return undefined;
  const earlier = earlierApprovals(config);
  return decidableCalls(pending, nested).flatMap(({ approvalId = "" }) =>
    earlier.has(approvalId) ? approvalId : [],
  );
}

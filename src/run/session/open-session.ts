import { InvalidInputError, SkeinError } from "../../errors.ts";
import type { Message } from "../../message/messages.ts";
import { answerAbandonedCalls } from "../../message/unanswered-calls.ts";
import { findOnlyAgent } from "../../agent/namesakes.ts";
import type { MaybePromise } from "../../base/util/maybe-promise.ts";
import { sleep } from "../../base/util/sleep.ts";
import { unlessSilent } from "../../base/util/unless-silent.ts";
import { RunCancelled } from "../cancel.ts";
import { warn } from "../events/emit.ts";
import type { ActiveRun } from "../state/active-run.ts";
import type { RunClaim } from "../state/run-config.ts";
import { unreadMessages } from "../resume/input.ts";
import { assertPending } from "../start.ts";
import { withChanges } from "../state/call-changes.ts";
import { frozenChanges, frozenContext } from "../state/frozen-context.ts";
import { SessionBusyError } from "./busy.ts";
import { isHeld } from "./claim.ts";
import { claimResumed } from "./claim-resumed.ts";
import { withFinishedCalls } from "./finished-calls.ts";
import { withInterruptedCalls } from "./interrupted-calls.ts";
import { loadSession, readEntries, stateOfSession } from "./read-session.ts";
import type { Session, SessionData } from "./session.ts";
import { isHeldAround, lockSession } from "./session-lock.ts";
import { isConflict, orUnanswered } from "./session-failure.ts";
import { SessionRecord } from "./session-record.ts";
import type { StoredConversation } from "./stored-conversation.ts";
import { settleStoredNames } from "./stored-names.ts";

/** How often a session that another process holds is looked at, in milliseconds: ever less often. */
const shortestWait = 50;
const longestWait = 1_000;

/** How often other runs may be faster: a store that refuses every entry must not hold a run for ever. */
const mostConflicts = 20;

/**
 * Has a run go on with the conversation of its session, and keep there what it does. With something new to say it is a
 * new run, and calls that an earlier one left open are given up; with nothing, it resumes that one. Until the run ends, no other
 * may write.
 * @throws InvalidInputError, AgentNotFoundError, ConfigurationError, SessionBusyError, and SkeinError (`session-failed`)
 */
export async function openSession(run: ActiveRun, session: Session): Promise<void> {
  if (run.config.resumed)
    throw new InvalidInputError(
      "Both a state and options.session were passed. Pass one of them: a run continues from one.",
    );
  const { record, resumed } = await claimSession(run, session);
  const { middlewares, options } = run.config;
  // A journal is outside of it: what that remembers need not be kept once more.
  const journals = options.journal ? 1 : 0;
  const around = middlewares.toSpliced(journals, 0, record.middleware);
  const release = async (): Promise<void> => {
    await resumed?.release();
    await record.release();
  };
  run.configure({ record, claim: { release }, middlewares: around });
}

/** Waits for the last that a run keeps in its session. A store that does not answer must not hold a run that is over. */
export function unlessUnanswered(work: Promise<void>): Promise<void> {
  return orUnanswered(work, AbortSignal.abort());
}

/** What a run holds: its session, and the run that it resumes, which another may have been resumed with from a state. */
interface HeldSession {
  readonly record: SessionRecord;
  readonly resumed: RunClaim | undefined;
}

async function claimSession(run: ActiveRun, session: Session): Promise<HeldSession> {
  const { scope } = run.config;
  const isWaiting = session.busy === "wait";
  if (isHeldAround(session))
    throw new SessionBusyError(
      "The session is in use by the run whose tool started this one: it would wait for itself. Pass another session, or none.",
    );
  // Not raced with the cancellation, which the lock itself observes: a lock that is received is always given back.
  const unlock = await lockSession(session, isWaiting, scope.signal);
  if (!unlock) throw busy("another run of this process");
  try {
    return await claimUnlocked(run, session, unlock);
  } catch (error) {
    unlock();
    throw error;
  }
}

async function claimUnlocked(run: ActiveRun, session: Session, unlock: () => void): Promise<HeldSession> {
  const { scope } = run.config;
  const input = [...run.conversation.messages];
  let wait = shortestWait;
  for (let conflicts = 0; ;) {
    const { entries, warnings = [] } = await load(run, session, input.length > 0);
    const conversation = readEntries(entries);
    const { claim } = conversation;
    if (!isHeld(claim)) {
      for (const warning of warnings) warn(run, `The session: ${warning}`);
      const isNew = input.length > 0;
      // What an earlier run has done are not steps of a new one, whose calls may have the same ids.
      const stored = isNew
        ? { ...conversation, steps: new Map<string, unknown>(), decisions: new Map<string, never>() }
        : conversation;
      const record = new SessionRecord(run, session, stored, unlock);
      continueConversation(run, conversation, input);
      // Another run of this process may have been resumed from a state of the same run.
      const resumed = claimResumed(run);
      const conflict = await record.claim().then(
        () => undefined,
        async (error: unknown) => {
          await resumed?.release();
          return unlessConflict(error, run.config.isFromSession);
        },
      );
      if (!conflict) return { record, resumed };
      if ((conflicts += 1) > mostConflicts) throw conflict;
    } else if (session.busy !== "wait") {
      throw busy(claim.process ? `a run of the process ${claim.process.pid}` : "another run");
    } else {
      await scope.race(sleep(wait, scope.signal));
      wait = Math.min(2 * wait, longestWait);
    }
  }
}

/** A run that was cancelled keeps the decisions that it was resumed with, and waits a little for its store. A new one has none. */
function load(run: ActiveRun, session: Session, isNew: boolean): MaybePromise<SessionData> {
  const { scope } = run.config;
  const loading = loadSession(session);
  if (isNew) return scope.race(loading);
  return unlessSilent(loading, scope.signal, () => new RunCancelled(scope.signal.reason));
}

/** Where another run was faster, this is done again with what that one wrote. */
function continueConversation(
  run: ActiveRun,
  conversation: StoredConversation,
  input: readonly Message[],
): void {
  if (input.length > 0) takeUp(run, withFinishedCalls(conversation), input);
  else resume(run, conversation);
  assertPending(run, run.config.options.results ?? []);
}

function busy(holder: string): SessionBusyError {
  return new SessionBusyError(
    `The session is in use by ${holder}. Try again when that has ended, or open the session with { busy: "wait" }.`,
  );
}

/** The error of a run that was not the first to write. */
function unlessConflict(error: unknown, isResumed: true | undefined): SkeinError {
  if (isConflict(error)) return error;
  if (!(error instanceof SkeinError) || !isResumed) throw error;
  const { code, data, cause } = error;
  throw new SkeinError(`${error.message} Resume from the session: nothing was done.`, { code, data, cause });
}

/** A new run in an old conversation. */
function takeUp(run: ActiveRun, stored: StoredConversation, input: readonly Message[]): void {
  const { state } = stored;
  const { context } = run.config.options;
  // What the user has sent to a run that has stopped before it was read comes first.
  const unread = unreadMessages(state?.unread).map(({ message }) => message);
  run.conversation.restart(answerAbandonedCalls([...withInterruptedCalls(stored), ...unread, ...input]));
  if (!state) return;
  run.replaceContext(frozenContext(context, withChanges(state.context, state.changes ?? [])), []);
  // The history goes on: what has succeeded in it must not be taken for another tool's success.
  run.toolNames.continueFrom(state.toolNames);
  const agent = findOnlyAgent(state.agent, run.config.leadRoots);
  if (agent) run.activate(agent);
  else warn(run, `The agent "${state.agent}" had the lead and cannot be found; ${run.agent.name} goes on.`);
}

/** The last run once more, from where it was left. */
function resume(run: ActiveRun, { view, state, steps }: StoredConversation): void {
  if (view.length === 0 || !state)
    throw new InvalidInputError("The session has nothing to go on with yet: give the first message.");
  const resumed = stateOfSession(view, state);
  run.conversation.restart(view, resumed.pending);
  run.conversation.continueWork(resumed.nested ?? []);
  run.configure({ resumed, runId: resumed.runId, isFromSession: true });
  run.continueFrom(resumed);
  settleStoredNames(run, steps);
  const { context } = run.config.options;
  run.replaceContext(frozenContext(context, resumed.context), frozenChanges(context, resumed.changes));
}

import { chain, type MaybePromise } from "../../base/util/maybe-promise.ts";
import { executeCall } from "../../executor/execute-call.ts";
import { Budget } from "../budget.ts";
import { RunCancelled } from "../cancel.ts";
import type { RunState } from "../../message/run-state.ts";
import { fingerprint } from "../../base/util/fingerprint.ts";
import {
  loadDecisions,
  loadResults,
  loadSessions,
  loadStateClaims,
  loadSteps,
  loadToolCheck,
} from "../features.ts";
import { keyOfStep } from "../steps/perform-step.ts";
import type { ActiveRun } from "../state/active-run.ts";
import type { RunConfig } from "../state/run-config.ts";
import { scopeOf } from "../turn/tool-step.ts";
import { listedTools, toolsForTurn } from "../turn/tools-for-turn.ts";
import { callingAgent, takeLead } from "./agents-of-state.ts";

/**
 * Completes the configuration of a run: from its session, with results and decisions from elsewhere, and with its limits.
 * No promise where the run has neither: bench row "loop, a turn of 10".
 */
export function openRun(run: ActiveRun, runAgent: RunConfig["runAgent"]): MaybePromise<void> {
  run.configure({ runAgent });
  const { options, resumed, budget, limits, durable, parent } = run.config;
  // The limits of a run within are its own.
  const spent = parent ? undefined : durable?.spent;
  if (!parent && durable) limits.continueFrom(durable.counts);
  const { maxTokens, maxCost } = options;
  return chain(readSession(run) ?? claimState(run), () =>
    chain(readState(run), () => {
      if (maxTokens !== undefined || maxCost !== undefined)
        run.configure({ budget: new Budget(options, run.meters, budget, resumed?.modelCalls, spent) });
      return chain(findUndecided(run), () =>
        chain(noteResumption(run) ?? markResumption(run), () => run.markOpen()),
      );
    }),
  );
}

/** Has the session say that the run goes on, before it does anything: whether a call may have begun is read from that. */
function noteResumption(run: ActiveRun): MaybePromise<void> {
  const { resumed, record, scope } = run.config;
  // What was cancelled before leaves everything as it stands, with what was decided.
  if (resumed && scope.isCancelled) throw new RunCancelled(scope.signal.reason);
  if (!resumed || !record) return undefined;
  run.hasGoneOn = true;
  return record.save();
}

/** How many processes may have died in one resumption: what remembers a step that it has never seen must not hold the run. */
const mostAttempts = 100;

/**
 * Has what remembers steps remember this one before anything is executed: one that is there says that another process may have begun
 * what is decided here.
 */
function markResumption(run: ActiveRun): MaybePromise<void> {
  const { resumed, record, parent, options } = run.config;
  if (!resumed || record || parent || run.conversation.pending.length === 0) return undefined;
  if (!options.journal && !options.middleware?.some((each) => each.step !== undefined)) return undefined;
  return chain(loadSteps(), async (steps) => {
    // Counted, since a run that failed stands where it stood before.
    const resumptions = (resumed.resumptions ?? 0) + 1;
    const id = resumptionId(resumed, resumptions);
    const approvals = approvalsOf(run, resumed);
    let died: readonly string[] | undefined;
    for (let attempt = 1; attempt <= mostAttempts; attempt++) {
      let isNew = false;
      const key = { ...keyOfStep(run, "step"), id: `${id}-${attempt}` };
      const earlier = await steps.rememberStep(run, key, async () => {
        isNew = true;
        return approvals;
      });
      if (isNew) break;
      died = [...(died ?? []), ...earlier.split(" ")];
    }
    const isOwnJournal = resumed.interrupted && (await steps.hasRun(run)) ? true : undefined;
    run.configure({ died, resumptions, isOwnJournal });
  });
}

/** What a resumption has the approval for: the ids, which have no blanks. */
function approvalsOf({ config: { options } }: ActiveRun, { decisions = [] }: RunState): string {
  const all = [...decisions, ...(options.approvals ?? [])];
  return all.flatMap(({ approvalId, decision }) => (decision === "approve" ? approvalId : [])).join(" ");
}

/** Names a resumption by what the run waits for: a run pauses many times. */
function resumptionId({ status, pending, underWay }: RunState, resumptions: number): string {
  const waiting = pending.map(({ toolCallId, approvalId }) => [toolCallId, approvalId]);
  return `resumed-${fingerprint(JSON.stringify([resumptions, status, waiting, underWay]))}`;
}

/** A durable run is left to a program that has the tools of the calls that wait. */
function findTools(run: ActiveRun): Promise<void> | undefined {
  // Within a run, its tools are for that around it to find.
  if (!run.config.durable || run.config.parent || run.conversation.pending.length === 0) return undefined;
  return loadToolCheck()
    .then(({ assertToolsOfWaiting }) => assertToolsOfWaiting(run, listedTools))
    .then(() => readAnswers(run));
}

/** So is a run of whose calls some wait, with nothing that was decided on them: a model that reads "unknown tool" would answer without. */
function findUndecided(run: ActiveRun): MaybePromise<void> {
  const { durable, parent, options, resumed } = run.config;
  if (durable || parent || !(resumed?.approvals ?? resumed?.nested)?.length) return undefined;
  if (options.signal?.aborted || run.conversation.pending.length === 0) return undefined;
  const answered = new Set([
    ...(options.approvals ?? []).map(({ approvalId }) => approvalId),
    ...(options.results ?? []).map(({ toolCallId }) => toolCallId),
  ]);
  return loadToolCheck().then(({ assertToolsOfWaiting }) => assertToolsOfWaiting(run, listedTools, answered));
}

/** Results and decisions from elsewhere. */
function readAnswers(run: ActiveRun): Promise<void> | undefined {
  const { results } = run.config.options;
  if (!results) return readDecisions(run);
  return loadResults().then(async ({ takeResults }) => {
    await takeResults(run, results, {
      loadTools: (agent) => listedTools(run, agent),
      scopeWith: (toolTable) => scopeOf(run, toolTable, executeCall),
      remember: async (key, perform) => (await loadSteps()).rememberStep(run, key, perform),
    });
    return readDecisions(run);
  });
}

function readSession(run: ActiveRun): MaybePromise<void> {
  const { session } = run.config.options;
  return session && chain(loadSessions(), ({ openSession }) => openSession(run, session));
}

/** What a state leads to must not be done by another run at the same time. */
function claimState(run: ActiveRun): MaybePromise<void> {
  const { resumed, parent } = run.config;
  if (!resumed || parent) return undefined;
  return loadStateClaims().then(({ claimResumed }) => run.configure({ claim: claimResumed(run) }));
}

/** What the run resumes, and what there is for that. */
function readState(run: ActiveRun): MaybePromise<void> {
  const read = (): Promise<void> | undefined => {
    if (run.config.resumed ?? run.config.options.session) takeLead(run);
    return findTools(run) ?? readAnswers(run);
  };
  if (!isDecidable(run)) return read();
  return loadDecisions().then(({ withCheckedState }) => withCheckedState(run, read));
}

/** Whether there is something to be decided, or to be signed. */
function isDecidable({ config: { options, resumed } }: ActiveRun): boolean {
  const sources = [
    options.approvals,
    options.stateSecret,
    resumed?.approvals,
    resumed?.nested,
    resumed?.signature,
  ];
  return sources.some((source) => source !== undefined);
}

function readDecisions(run: ActiveRun): Promise<void> | undefined {
  if (!isDecidable(run)) return undefined;
  return loadDecisions().then(({ openState }) =>
    openState(run, async (each) => toolsForTurn(each, callingAgent(each))),
  );
}

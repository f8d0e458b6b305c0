import type {
  AboutStep,
  CallOutcome,
  NestedRequest,
  PausedAgent,
  PermittedCall,
  SettledCall,
  SuspendedCall,
  WorkWithin,
} from "../../executor/types.ts";
import { isCompleteAgent } from "../../agent/handoff.ts";
import { assertOwnName } from "../../agent/own-name.ts";
import { AgentNotFoundError, GuardError, SkeinError } from "../../errors.ts";
import { isSameInput, permittedInput } from "../../executor/policies/shown-input.ts";
import { safeMessage } from "../../base/util/error-message.ts";
import { sleep } from "../../base/util/sleep.ts";
import type { ToolCall } from "../../message/messages.ts";
import type { NestedStep, PendingCall } from "../../message/run-state.ts";
import { calleeOfStep, printStep, type StepKey } from "../../message/step-key.ts";
import { withoutSecrets } from "../../model/secrets.ts";
import { isSameCall } from "../../message/unanswered-calls.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { toStoredCall } from "../steps/stored-call.ts";

/** How many steps of a call are kept: a tool that makes more of them cannot wait, since it would repeat some. */
const mostSteps = 10_000;

/** What a step within a call came to: an agent's answer, an agent that paused, or the outcome of a call. */
type Outcome = string | PausedAgent | CallOutcome;

/** What the calls of a run do that tools have made and that are under way, by their steps. */
const works = new WeakMap<ActiveRun, Map<string, CallWork>>();

function worksOf(run: ActiveRun): Map<string, CallWork> {
  const all = works.get(run) ?? new Map<string, CallWork>();
  works.set(run, all);
  return all;
}

/** What a tool does by other tools and agents, so that a call which waits for one of them does not repeat the others. */
export class CallWork implements WorkWithin {
  readonly #run: ActiveRun;
  readonly #steps = new Map<string, NestedStep>();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #requests: NestedRequest[] = [];
  #failure: Error | undefined;
  #isFull = false;
  #pause: Error | undefined;

  /** @param key - The call. */
  constructor(run: ActiveRun, key: StepKey) {
    this.#run = run;
    if (key.parent?.kind === "tool") worksOf(run).set(printStep(key), this);
  }

  get isPaused(): boolean {
    return this.#pause !== undefined;
  }

  async track<T extends Outcome>(
    key: StepKey,
    call: ToolCall | undefined,
    perform: () => Promise<T>,
    { isWait = false, isMasked }: AboutStep = {},
  ): Promise<T> {
    const step = printStep(key);
    // What comes after a pause comes after it: the tool must not act on a decision that is still to be made.
    if (this.#pause && !isWait && !this.#run.config.decided?.steps.has(step)) throw this.#pause;
    const work = perform();
    this.#underWay.add(work);
    const failureOfStep = (): Error | undefined => this.#run.config.stepFailures.get(step);
    try {
      const outcome = await work;
      const failure = failureOfStep();
      // What the run failed before is still to be done: with what it has done and was decided on it before.
      const isStillOpen = failure !== undefined && isUnstarted(outcome);
      if (!isStillOpen && !this.#add(step, call, outcome, isMasked?.()) && !failure) return outcome;
    } catch (error) {
      if (!failureOfStep()) {
        // A call's failure is its outcome; an agent that failed must not be run again. A step of the tool may have failed since something
        // within it waits, which is to be used once it is there.
        const isOpen = isMasked?.() || (this.#pause !== undefined && key.kind === "step");
        this.#store(isOpen ? { step, isOpen } : { step, error: safeMessage(error) });
        throw error;
      }
    } finally {
      this.#underWay.delete(work);
      worksOf(this.#run).delete(step);
    }
    const failure = failureOfStep();
    if (failure) {
      // Some of what the tool has done would be done again.
      if (this.#isFull && failure instanceof GuardError) throw failure;
      this.#failure ??= failure;
      throw (this.#pause ??= failedError(key, failure));
    }
    if (this.#isFull) throw tooManySteps(key);
    // What the tool does beside it, and has its answers for, may come to a question as well: all of them are asked at once.
    await sleep(0);
    throw (this.#pause ??= waitingError(key));
  }

  async idle(): Promise<void> {
    do {
      await Promise.allSettled(this.#underWay);
      // What waited for one of them may go on with another.
      await sleep(0);
    } while (this.#underWay.size > 0);
  }

  suspend(call: ToolCall, input: unknown): SuspendedCall {
    const { toolCallId } = call;
    const permitted = permittedInput(input);
    return {
      suspended: {
        toolCallId,
        toolCall: call,
        ...(!isWritten(permitted.input, call) && permitted),
        steps: [...this.#steps.values()],
      },
      requests: this.#requests,
      ...(this.#failure && { failure: this.#failure }),
    };
  }

  /** Adds what a step came to. Returns whether it waits. */
  #add(step: string, call: ToolCall | undefined, outcome: Outcome, isMasked = false): boolean {
    if (typeof outcome === "string")
      this.#store(isMasked ? { step, isOpen: true } : { step, value: outcome });
    else if ("state" in outcome) return this.#addAgent(step, outcome);
    else if ("suspended" in outcome) return this.#addSuspended(step, call, outcome);
    else if ("waiting" in outcome) return this.#addWaiting(step, call, outcome);
    else this.#addSettled(step, call, outcome);
    return false;
  }

  #addSettled(step: string, call: ToolCall | undefined, outcome: SettledCall): void {
    const { agent, value, isNotRepeated = false } = outcome;
    const { roots, outerRoots } = this.#run.config;
    if (isCompleteAgent(agent)) assertOwnName(agent, [roots, outerRoots]);
    if (value === undefined || isNotRepeated)
      this.#store({ step, value: toStoredCall(this.#run, outcome, true) });
    else this.#addMasked(step, call, outcome);
  }

  #store(nested: NestedStep): void {
    // What is still under way at a pause is kept: nothing new begins then.
    if (this.#steps.size >= mostSteps && !this.#pause) this.#isFull = true;
    if (this.#isFull) return;
    this.#steps.set(nested.step, nested);
    // A tool that is tried again must not use a decision twice.
    const earlier = this.#run.config.decided?.steps;
    const before = earlier?.get(nested.step);
    // A step that was open and fails now may be tried again as one that was not.
    const isTriedAgain = before !== undefined && "isOpen" in before && "error" in nested;
    if (before && !isTriedAgain) earlier?.set(nested.step, nested);
  }

  #addAgent(step: string, { state, requests, failure }: PausedAgent): true {
    this.#store({ step, state });
    this.#requests.push(...requests);
    this.#failure ??= failure;
    return true;
  }

  #addSuspended(
    step: string,
    call: ToolCall | undefined,
    { suspended, requests, failure }: SuspendedCall,
  ): true {
    const { toolCall = call, edited, input, sharedWith } = suspended;
    const permittedWith = {
      ...(edited && { edited }),
      ...(input !== undefined && { input }),
      ...(sharedWith !== undefined && { sharedWith }),
    };
    if (toolCall) this.#addPermitted(step, call, { ...toolCall, ...permittedWith });
    for (const nested of suspended.steps)
      // One whose result comes from elsewhere waits itself.
      if (nested.step === step && "waiting" in nested) this.#storeWaiting(step, call, nested.waiting);
      else this.#steps.set(nested.step, nested);
    this.#requests.push(...requests);
    this.#failure ??= failure;
    return true;
  }

  /** A masked value is nothing for a state: the call is made again, with the same idempotency key, and not decided again. */
  #addMasked(step: string, call: ToolCall | undefined, outcome: SettledCall): void {
    const earlier = this.#run.config.decided?.steps;
    if (outcome.permitted) this.#addPermitted(step, call, outcome.permitted);
    // What it has called is finished, and not done again.
    const within = worksOf(this.#run).get(step);
    for (const nested of within ? within.#steps.values() : []) this.#store(nested);
    if (earlier?.has(step)) earlier.set(step, { step, value: outcome });
  }

  #addPermitted(step: string, original: ToolCall | undefined, call: PermittedCall): void {
    const isChanged = original && !isSameCall(call, original);
    this.#store({ step, call, ...(isChanged && { original }) });
  }

  #addWaiting(
    step: string,
    call: ToolCall | undefined,
    { waiting: request, visibleInput, edited, version }: Extract<CallOutcome, { readonly waiting: unknown }>,
  ): true {
    const { toolCall, approvalId } = request;
    const agent = this.#run.agent.name;
    const waiting = {
      ...toolCall,
      approvalId,
      input: visibleInput,
      ...(edited && { edited }),
      ...(version !== undefined && { version }),
      agent,
    };
    this.#storeWaiting(step, call, waiting);
    this.#requests.push({ ...request, agent });
    return true;
  }

  #storeWaiting(step: string, original: ToolCall | undefined, waiting: PendingCall): void {
    const isChanged = original && !isSameCall(waiting, original);
    this.#store({ step, waiting, ...(isChanged && { original }) });
  }
}

function isUnstarted(outcome: Outcome): boolean {
  return typeof outcome !== "string" && "result" in outcome && outcome.isUnstarted === true;
}

/** Whether an input is what the arguments say: nothing was computed in reading them. */
function isWritten(visibleInput: unknown, { arguments: text }: ToolCall): boolean {
  try {
    return isSameInput(visibleInput, JSON.parse(text));
  } catch {
    return false;
  }
}

function waitingError(key: StepKey): Error {
  const { id, kind, parent } = key;
  const agent = calleeOfStep(printStep(key)) ?? `of the call "${parent?.id}"`;
  const what = kind === "run" ? `The agent ${agent}` : `The call "${id}"`;
  return new SkeinError(
    `${what} waits for a decision or a result. Do not catch this error: the run pauses, and calls the tool again once that is there.`,
    {
      code: "call-waiting",
    },
  );
}

/** The run fails: what the tool has done so far is kept, and it is called again when the run is resumed. */
function failedError({ id }: StepKey, failure: Error): Error {
  const what = whatFailed(failure);
  return new SkeinError(
    `${id} ${what}: ${safeMessage(failure)} Do not catch this error: the run fails, and calls the tool again if it is resumed.`,
    { code: "call-waiting", cause: withoutSecrets(failure) },
  );
}

function whatFailed(failure: Error): string {
  if (failure instanceof AgentNotFoundError) return "was not run";
  return failure instanceof GuardError ? "could not be judged" : "could not be stored";
}

function tooManySteps({ id, parent }: StepKey): Error {
  return new Error(
    `${id} needs a person's approval, for which the call "${parent?.id}" cannot wait: it has made more than ${mostSteps} calls.`,
  );
}

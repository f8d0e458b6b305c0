import type {
  CallOutcome,
  NestedRequest,
  PausedAgent,
  SuspendedCall,
  WorkWithin,
} from "../../executor/types.ts";
import { SkeinError } from "../../errors.ts";
import { safeMessage } from "../../base/util/error-message.ts";
import { sleep } from "../../base/util/sleep.ts";
import type { ToolCall } from "../../message/messages.ts";
import type { NestedStep } from "../../message/run-state.ts";
import { printStep, type StepKey } from "../../message/step-key.ts";
import { isSameCall } from "../../message/unanswered-calls.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { toStoredCall } from "../steps/stored-call.ts";

/** How many steps of a call are kept: a tool that makes more of them cannot wait, since it would repeat some. */
const mostSteps = 10_000;

/** What a step within a call came to: an agent's answer, an agent that paused, or the outcome of a call. */
type Outcome = string | PausedAgent | CallOutcome;

/** What a tool does by other tools and agents, so that a call which waits for one of them does not repeat the others. */
export class CallWork implements WorkWithin {
  readonly #run: ActiveRun;
  readonly #steps = new Map<string, NestedStep>();
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #requests: NestedRequest[] = [];
  #failure: Error | undefined;
  #isFull = false;
  #pause: Error | undefined;

  constructor(run: ActiveRun) {
    this.#run = run;
  }

  get isPaused(): boolean {
    return this.#pause !== undefined;
  }

  async track<T extends Outcome>(
    key: StepKey,
    call: ToolCall | undefined,
    perform: () => Promise<T>,
  ): Promise<T> {
    const step = printStep(key);
    // What comes after a pause comes after it: the tool must not act on a decision that is still to be made.
    if (this.#pause && !this.#run.config.decided?.steps.has(step)) throw this.#pause;
    const work = perform();
    this.#underWay.add(work);
    try {
      const outcome = await work;
      if (!this.#add(step, call, outcome)) return outcome;
    } catch (error) {
      // A call's failure is its outcome; an agent that failed must not be run again.
      this.#store({ step, error: safeMessage(error) });
      throw error;
    } finally {
      this.#underWay.delete(work);
    }
    if (this.#isFull) throw tooManySteps(key);
    throw (this.#pause ??= waitingError(key));
  }

  async idle(): Promise<void> {
    do {
      await Promise.allSettled(this.#underWay);
      // What waited for one of them may go on with another.
      await sleep(0);
    } while (this.#underWay.size > 0);
  }

  suspend(call: ToolCall): SuspendedCall {
    const { toolCallId } = call;
    return {
      suspended: { toolCallId, toolCall: call, steps: [...this.#steps.values()] },
      requests: this.#requests,
      ...(this.#failure && { failure: this.#failure }),
    };
  }

  /** Adds what a step came to. Returns whether it waits. */
  #add(step: string, call: ToolCall | undefined, outcome: Outcome): boolean {
    if (typeof outcome === "string") this.#store({ step, value: outcome });
    else if ("state" in outcome) return this.#addAgent(step, outcome);
    else if ("suspended" in outcome) return this.#addSuspended(outcome);
    else if ("waiting" in outcome) return this.#addWaiting(step, call, outcome);
    else if (outcome.value === undefined) this.#store({ step, value: toStoredCall(this.#run, outcome) });
    // A masked value is nothing for a state: the call is made again, with the same idempotency key.
    else this.#run.config.decided?.steps.delete(step);
    return false;
  }

  #store(nested: NestedStep): void {
    // What is still under way at a pause is kept: nothing new begins then.
    if (this.#steps.size >= mostSteps && !this.#pause) this.#isFull = true;
    if (this.#isFull) return;
    this.#steps.set(nested.step, nested);
    // A tool that is tried again must not use a decision twice.
    const earlier = this.#run.config.decided?.steps;
    if (earlier?.has(nested.step)) earlier.set(nested.step, nested);
  }

  #addAgent(step: string, { state, requests, failure }: PausedAgent): true {
    this.#store({ step, state });
    this.#requests.push(...requests);
    this.#failure ??= failure;
    return true;
  }

  #addSuspended({ suspended, requests, failure }: SuspendedCall): true {
    for (const nested of suspended.steps) this.#steps.set(nested.step, nested);
    this.#requests.push(...requests);
    this.#failure ??= failure;
    return true;
  }

  #addWaiting(
    step: string,
    call: ToolCall | undefined,
    { waiting: request, visibleInput }: Extract<CallOutcome, { readonly waiting: unknown }>,
  ): true {
    const { toolCall, approvalId } = request;
    const agent = this.#run.agent.name;
    const isChanged = call && !isSameCall(toolCall, call);
    const waiting = { ...toolCall, approvalId, input: visibleInput, agent };
    this.#store({ step, waiting, ...(isChanged && { original: call }) });
    this.#requests.push({ ...request, agent });
    return true;
  }
}

function waitingError({ id, kind }: StepKey): Error {
  const what = kind === "run" ? `The agent ${id}` : `The call "${id}"`;
  return new SkeinError(
    `${what} waits for a decision or a result. Let this error pass: the tool is called again.`,
    {
      code: "call-waiting",
    },
  );
}

function tooManySteps({ id, parent }: StepKey): Error {
  return new Error(
    `${id} needs a person's approval, for which the call "${parent?.id}" cannot wait: it has made more than ${mostSteps} calls.`,
  );
}

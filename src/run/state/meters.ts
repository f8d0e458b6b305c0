import type { ToolResult, Usage } from "../../message/messages.ts";
import type { RunState } from "../../message/run-state.ts";
import { addUsage, cachedInputShare, noUsage } from "../../message/usage.ts";
import type { Generation, Model } from "../../model/types.ts";
import { type ToolReport, ToolStatistics } from "../../tool/statistics.ts";
import type { ModelCall } from "../../model/model-call.ts";
import type { RunStats } from "../result-types.ts";

/** What an answer of a model counts as. */
export function modelCallOf(model: Model, { response, usage }: Generation): ModelCall {
  const { provider = model.provider, modelId, batch } = response;
  return { provider, modelId, usage, ...(batch && { batch }) };
}

/** What counts for an answer that began and did not end: its provider alone knows what it used. */
export function unfinishedCallOf({ provider, modelId }: Model): ModelCall {
  return { provider, modelId, usage: noUsage };
}

/** What a run has used and done so far. Everything here only grows. */
export class Meters {
  /** Every answer so far, those of runs within this one included: one list, which grows. */
  readonly modelCalls: readonly ModelCall[];
  readonly tools: ToolStatistics = new ToolStatistics();
  readonly #modelCalls: ModelCall[] = [];
  readonly #outer: Meters | undefined;
  readonly #onModelCall: ((call: ModelCall) => void) | undefined;
  readonly #startedAt = performance.now();
  #earlierTurns = 0;
  #earlierUsage: Usage = noUsage;
  #turns = 0;
  #usage: Usage = noUsage;
  #modelMs = 0;
  #toolMs = 0;
  #toolCalls = 0;
  #toolErrors = 0;
  #cacheHits = 0;
  #events = 0;

  /**
   * @param outer - The meters of the run around this one: the answers count there, too.
   * @param onModelCall - Called with each answer that is not remembered, those of runs within this one included.
   */
  constructor(outer?: Meters, onModelCall?: (call: ModelCall) => void) {
    this.#outer = outer;
    this.#onModelCall = onModelCall;
    this.modelCalls = this.#modelCalls;
  }

  /** Model calls of this run alone. */
  get turns(): number {
    return this.#turns;
  }

  /** Model calls over all resumptions. */
  get turn(): number {
    return this.#earlierTurns + this.#turns;
  }

  /** What this run alone has used. */
  get usage(): Usage {
    return this.#usage;
  }

  /** What was used over all resumptions. */
  get totalUsage(): Usage {
    return addUsage(this.#earlierUsage, this.#usage);
  }

  /** Starts from what came before this run: the turns and the usage of the state that it resumes. */
  startFrom({ turn, usage }: Pick<RunState, "turn" | "usage">): void {
    this.#earlierTurns = turn;
    this.#earlierUsage = usage;
  }

  /** Counts a turn, and returns its number over all resumptions. */
  addTurn(): number {
    this.#turns++;
    return this.turn;
  }

  /**
   * Adds an answer and what it used.
   * @param isRemembered - Whether the model answered in an earlier execution of the run.
   */
  addModelCall(call: ModelCall, isRemembered = false): void {
    this.#usage = addUsage(this.#usage, call.usage);
    this.#addAnswer(call, isRemembered);
  }

  #addAnswer(call: ModelCall, isRemembered: boolean): void {
    this.#modelCalls.push(call);
    if (!isRemembered) this.#onModelCall?.(call);
    if (this.#outer) this.#outer.#addAnswer(call, isRemembered);
  }

  /** Adds milliseconds spent waiting for a model. */
  addModelTime(milliseconds: number): void {
    this.#modelMs += milliseconds;
  }

  /** Adds milliseconds spent in a batch of calls. */
  addToolTime(milliseconds: number): void {
    this.#toolMs += milliseconds;
  }

  /** Counts the calls of these results that were executed. */
  addResults(results: readonly ToolResult[]): void {
    for (const { outcome, isError } of results) {
      if (outcome === "not-executed") continue;
      this.#toolCalls++;
      if (isError) this.#toolErrors++;
    }
  }

  /** Counts a call that was answered with the result of an equal one. */
  addCacheHit(): void {
    this.#cacheHits++;
  }

  /** Counts an event, and returns its number, from 0 on. */
  addEvent(): number {
    return this.#events++;
  }

  /** Where the run's time went. */
  stats(): RunStats {
    const { tools } = this;
    return {
      totalMs: performance.now() - this.#startedAt,
      modelMs: this.#modelMs,
      toolMs: this.#toolMs,
      toolCalls: this.#toolCalls,
      toolErrors: this.#toolErrors,
      cacheHits: this.#cacheHits,
      cachedInputShare: cachedInputShare(this.#usage),
      // Bench row "loop, a turn of 10": computed when it is read, since percentiles cost more than a turn.
      get tools(): ToolReport {
        return tools.report();
      },
    };
  }
}

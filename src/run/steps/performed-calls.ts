import type { JsonObject } from "../../base/util/json.ts";
import type { CallOutcome } from "../../executor/types.ts";
import type { ToolCall, ToolResult } from "../../message/messages.ts";
import { notExecuted, unfinished } from "../../message/unanswered-calls.ts";

/** What a middleware calls to have a call executed. */
export type NextCall = (call: ToolCall) => Promise<ToolResult>;

/** What one `next` led to, and the result that the middleware received. */
export interface Performed {
  readonly outcome: CallOutcome;
  readonly result: ToolResult;
  /** The result as it was: a middleware may write into its own. */
  readonly original: ToolResult;
}

/** What the calls of `next` for one call lead to: mostly one, none where a middleware answers itself. */
export class PerformedCalls {
  readonly #call: ToolCall;
  readonly #perform: (call: ToolCall) => CallOutcome | Promise<CallOutcome>;
  readonly #started: Promise<CallOutcome>[] = [];
  readonly #slots: (Performed | undefined)[] = [];

  constructor(call: ToolCall, perform: (call: ToolCall) => CallOutcome | Promise<CallOutcome>) {
    this.#call = call;
    this.#perform = perform;
  }

  /** The innermost `next`: executes the call as the middlewares have it, under the id that the model gave it. */
  readonly execute: NextCall = async (changed) => {
    const slot = this.#slots.push(undefined) - 1;
    const performing = Promise.resolve(this.#perform({ ...changed, toolCallId: this.#call.toolCallId }));
    this.#started.push(performing);
    const outcome = asPermitted(await performing, changed, this.#call);
    const original = withEnd(resultOf(this.#call, outcome), outcome);
    const result = { ...original };
    this.#slots[slot] = { outcome, result, original };
    return result;
  };

  /** Those that are done, in the order in which `next` was called, whichever was done first. */
  get done(): readonly Performed[] {
    return this.#slots.filter((slot) => slot !== undefined);
  }

  /** What is shown beside a result that a middleware received. */
  metaOf(result: ToolResult): JsonObject | undefined {
    const outcome = this.done.find((performed) => performed.result === result)?.outcome;
    return outcome && "result" in outcome ? outcome.meta : undefined;
  }

  /** Every outcome: a function may have returned before a call that it began was done. */
  outcomes(): Promise<readonly CallOutcome[]> {
    return Promise.all(this.#started);
  }
}

/** A call whose value is not kept is made again: as it was, whatever a middleware makes of it by then. */
function asPermitted(outcome: CallOutcome, changed: ToolCall, { toolCallId }: ToolCall): CallOutcome {
  if (!("result" in outcome) || outcome.value === undefined) return outcome;
  return { permitted: { ...changed, toolCallId }, ...outcome };
}

/** The result as a middleware sees it, which may be the answer of the run. */
function withEnd(result: ToolResult, outcome: CallOutcome): ToolResult {
  return "result" in outcome && outcome.final ? { ...result, final: true } : result;
}

function resultOf(call: ToolCall, outcome: CallOutcome): ToolResult {
  if ("result" in outcome) return outcome.result;
  if ("waiting" in outcome) return notExecuted(call, "it needs a person's approval.");
  // It has begun, and waits for calls within it.
  return { ...unfinished(call, "The run paused"), outcome: "not-executed" };
}

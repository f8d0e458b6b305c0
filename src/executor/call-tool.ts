import { SkeinError } from "../errors.ts";
import type { ToolCall } from "../message/messages.ts";
import { resultText, valueOf, wholeValueOf } from "./finalize.ts";
import { PassedOn } from "./passed-on.ts";
import { stepOfCall } from "./step-of-call.ts";
import type { JsonValue } from "../base/util/json.ts";
import type { CallOutcome, ExecutionObserver, ReadyCall, SettledCall } from "./types.ts";

/** How many tools may call each other within one call. */
const deepestCall = 16;

/**
 * Makes a call on behalf of another: that of the tool passed first.
 * @param soFar - The tools that this one has called with success.
 * @param isVisible - Whether it gets what a model would see alone, without what is masked.
 * @throws Error if tools have called each other too deep.
 */
export async function callTool(
  { call, scope, depth }: ReadyCall,
  inner: ToolCall,
  signal: AbortSignal,
  soFar: readonly string[],
  isVisible: boolean,
): Promise<CallOutcome> {
  if (depth >= deepestCall) {
    throw new Error(`${inner.toolName} was not called: tools have called each other ${deepestCall} deep.`);
  }
  const observer = nestedObserver(scope.observer, call.toolCallId);
  // What a person has approved is the call around this one.
  const approved = undefined;
  const source = undefined;
  const isContinued = false;
  const isCounted = false;
  const step = stepOfCall(call, scope);
  // Only what is made within a call that has begun before may have been made then.
  const mayHaveBegun = depth > 0 ? scope.mayHaveBegun : withinCall(scope.mayHaveBegun, call);
  const isInterrupted = depth > 0 ? scope.isInterrupted : withinCall(scope.isInterrupted, call);
  const successes = [...(scope.successes ?? []), ...soFar];
  const about = {
    observer,
    step,
    source,
    approved,
    isContinued,
    isCounted,
    mayHaveBegun,
    isInterrupted,
    successes,
    isVisible,
  };
  return scope.execute(inner, { ...scope, signal, ...about }, depth + 1);
}

/** A question about a call, for those within it: "no" for one is "no" for all of them. */
function withinCall(
  ask: ((toolCallId: string) => boolean) | undefined,
  { toolCallId }: ToolCall,
): (idWithin: string) => boolean {
  return (idWithin) => ask !== undefined && ask(toolCallId) && ask(idWithin);
}

/**
 * What a tool gets of a call that it made.
 * @throws Error in the words that a model would read, if the call did not succeed; SkeinError (`call-limit`) for one beyond a limit.
 */
export function readOutcome(inner: ToolCall, outcome: CallOutcome): unknown {
  if (!("result" in outcome)) {
    throw new Error(
      `${inner.toolName} was not called: it needs a person's approval, so the model has to ask for it.`,
    );
  }
  const { limit } = outcome;
  if (limit)
    throw new SkeinError(resultText(outcome.result), {
      code: "call-limit",
      data: { limit, toolName: inner.toolName },
    });
  if (outcome.result.isError) throw new Error(resultText(outcome.result));
  if (outcome.agent) return outcome.agent;
  const value = passedOn(outcome);
  if (value === undefined)
    throw new Error(`${inner.toolName} returned more than can be passed on. It has to return less at once.`);
  // A copy: the value may also stand in a cache or an event.
  return structuredClone(value);
}

/**
 * What a tool returns of a call that it has made in the place of its own.
 * @throws Error if the call was not executed
 */
export function passOn(inner: ToolCall, outcome: CallOutcome): unknown {
  const isSettled = "result" in outcome && !outcome.limit && !outcome.blocked && !outcome.isUnstarted;
  return isSettled ? new PassedOn(outcome) : readOutcome(inner, outcome);
}

/** What was returned, whole; `undefined` where it is too long for that. */
function passedOn(settled: SettledCall): JsonValue | undefined {
  const { cut, value, result } = settled;
  if (cut) return wholeValueOf(settled);
  return value ?? valueOf(result);
}

/** The observer with the parent call added to each event, unless a nested call has set its own. */
function nestedObserver(observer: ExecutionObserver, outer: string): ExecutionObserver {
  return {
    start: (call, parent = outer) => observer.start(call, parent),
    progress: (call, value, parent = outer) => observer.progress(call, value, parent),
    end: (settled, durationMs, parent = outer) => observer.end(settled, durationMs, parent),
    warn: (message, discreet) => observer.warn(message, discreet),
  };
}

import type { ToolCall } from "../message/messages.ts";
import { unfinished } from "../message/unanswered-calls.ts";
import { isPromiseLike } from "../base/util/promise-like.ts";
import { isToolReturn } from "../tool/result.ts";
import type { ToolReturn } from "../tool/types.ts";
import { bodyOf } from "./bodies.ts";
import { CallContext } from "./call-context.ts";
import { drain, type ProgressListener } from "./drain.ts";
import { finalize, textResult, thrownResult, type Warn } from "./finalize.ts";
import { notePart } from "./notes.ts";
import { LazySignal, settle, type Settlement } from "./settle.ts";
import type { CallOutcome, ReadyCall, SettledCall } from "./types.ts";

/** Milliseconds a call may take unless its tool says otherwise. */
export const defaultTimeout = 60_000;

/** Calls the tool of a call that is ready, and shapes what it returns: what stands behind every policy. */
export async function performTool(ready: ReadyCall): Promise<CallOutcome> {
  const { call, tool, input, scope } = ready;
  const timeout = tool.policy.timeout ?? defaultTimeout;
  const signal = new LazySignal();
  const warn: Warn = (message, discreet) => scope.observer.warn(message, discreet);
  const context = new CallContext(ready, signal);
  let settlement: Settlement;
  if (ready.start) ready.start.hasBegun = true;
  scope.underWay?.add(call.toolCallId);
  try {
    const returned = tool.execute?.(input, context);
    const work = pendingWork(returned, context) ?? (bodyOf(returned) && Promise.resolve(returned));
    if (!work) {
      warnOfCallsUnderWay(call, context, warn);
      return finalize(call, returned, warn);
    }
    const startedAt = performance.now();
    if (ready.start) ready.start.work = { done: work, deadline: startedAt + timeout };
    settlement = await settle(work, signal, timeout, scope.signal);
    if (context.work?.isPaused && (settlement.kind === "value" || settlement.kind === "error")) {
      // What the tool did not wait for is not to be repeated, either.
      settlement = await settle(context.work.idle(), signal, timeout, scope.signal);
      if (settlement.kind === "value") return context.work.suspend(call, input);
    } else if (settlement.kind === "value") warnOfCallsUnderWay(call, context, warn);
    else if (settlement.kind === "error" && context.underWay.length > 0) {
      // Of calls side by side one has failed: the others are done before the run goes on, or ends.
      const left = Math.max(0, timeout - (performance.now() - startedAt));
      const idle = await settle(context.idle(), signal, left, scope.signal);
      if (idle.kind === "value" && context.work?.isPaused) return context.work.suspend(call, input);
    }
    if (settlement.kind === "value" && bodyOf(settlement.value)) {
      const left = Math.max(0, timeout - (performance.now() - startedAt));
      settlement = await settle(withBodyRead(ready, settlement.value, signal), signal, left, scope.signal);
    }
  } catch (error) {
    return { result: thrownResult(call, error), error };
  } finally {
    context.close();
  }
  const shaped = shape(call, settlement, timeout, warn);
  const described = settlement.kind === "error" ? withSucceeded(shaped, context.succeeded) : shaped;
  const settled = withSuccesses(described, context.successes);
  return context.changes ? withChanges(settled, context.changes) : settled;
}

/** What comes of a call that its tool did not wait for is lost: a result, an error, or that a person has to decide. */
function warnOfCallsUnderWay({ toolName }: ToolCall, { underWay }: CallContext, warn: Warn): void {
  for (const name of underWay)
    warn(
      `${toolName} returned before ${name}, which it had called, was done. Await the call: its outcome is lost.`,
    );
}

/** What a tool returned, with the text of its body in place of that. */
async function withBodyRead({ scope }: ReadyCall, returned: unknown, signal: LazySignal): Promise<unknown> {
  const body = bodyOf(returned);
  if (!body) return returned;
  const read = await scope.features.readBody(body, signal.signal);
  return isToolReturn(returned) ? withValue(returned, read) : read;
}

/** What a tool returned beside a body, with what was read of that. */
function withValue(returned: ToolReturn, read: unknown): ToolReturn {
  if (!isToolReturn(read)) return { ...returned, value: read };
  const { value: _, ...others } = returned;
  return { ...others, ...read };
}

/** The model must not have them made again. */
function withSucceeded(settled: SettledCall, names: readonly string[]): SettledCall {
  if (names.length === 0) return settled;
  const { result } = settled;
  const note = notePart(
    `Calls that ${result.toolName} made were carried out all the same: ${names.join(", ")}.`,
  );
  return { ...settled, result: { ...result, content: [...result.content, note] } };
}

/** What requires those tools finds them in the history. */
function withSuccesses(settled: SettledCall, succeeded: readonly string[]): SettledCall {
  return succeeded.length > 0 ? { ...settled, result: { ...settled.result, succeeded } } : settled;
}

/** What tools changed that were called on behalf of this one is changed, however this one ended. */
function withChanges(settled: SettledCall, changes: Readonly<Record<string, unknown>>): SettledCall {
  return { ...settled, context: { ...changes, ...settled.context } };
}

function shape(call: ToolCall, settlement: Settlement, timeout: number, warn: Warn): SettledCall {
  switch (settlement.kind) {
    case "value":
      return finalize(call, settlement.value, warn);
    case "error":
      return { result: thrownResult(call, settlement.error), error: settlement.error };
    case "timeout":
      return {
        result: textResult(
          call,
          `${call.toolName} did not finish within ${timeout} ms and was given up.`,
          "timeout",
        ),
      };
    case "cancelled":
      return { result: unfinished(call, "The run was cancelled") };
  }
}

/** What there is to wait for: a promise, or a generator whose yields are progress. */
export function pendingWork(returned: unknown, context: ProgressListener): PromiseLike<unknown> | undefined {
  if (typeof returned !== "object" || returned === null) return undefined;
  // What only behaves like a promise may settle twice, or with another one.
  if (isPromiseLike(returned)) return returned instanceof Promise ? returned : Promise.resolve(returned);
  return isGenerator(returned) ? drain(returned, context) : undefined;
}

function isGenerator(value: object): value is Generator | AsyncGenerator {
  return (
    (Symbol.asyncIterator in value || Symbol.iterator in value) &&
    "next" in value &&
    typeof value.next === "function" &&
    "return" in value &&
    typeof value.return === "function"
  );
}

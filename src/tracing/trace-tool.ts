import type { Attributes } from "@opentelemetry/api";
import { hasHidden } from "../executor/policies/mask.ts";
import type { CallOutcome } from "../executor/types.ts";
import type { ToolCall } from "../message/messages.ts";
import type { CallInfo } from "../run/steps/instrument.ts";
import { errorType } from "./error-type.ts";
import { attribute, operations, other } from "./names.ts";
import type { OpenSpan } from "./open-span.ts";
import { cancelled, type RunTrace } from "./run-trace.ts";

/** The longest id that a model may have written, in characters. */
const longestId = 200;

/** Executes a call within its span, which is active meanwhile. */
export async function traceTool(
  trace: RunTrace,
  call: ToolCall,
  info: CallInfo,
  next: () => Promise<CallOutcome>,
): Promise<CallOutcome> {
  const span = startTool(trace, call, info);
  try {
    const outcome = await trace.api.context.with(span.context, next);
    endTool(trace, span, info, outcome);
    return outcome;
  } catch (error) {
    const type = info.signal.aborted ? cancelled : errorType(error);
    if (!span.isEnded) measure(trace, span, info, type);
    trace.close(span, type, error);
    throw error;
  }
}

/** What a model only takes for a tool has no name here: it may be any text. */
function startTool(trace: RunTrace, { toolCallId, arguments: text }: ToolCall, info: CallInfo): OpenSpan {
  const { name = other, description } = info.tool ?? {};
  const attributes: Attributes = {
    [attribute.operation]: operations.tool,
    [attribute.toolName]: name,
    [attribute.toolType]: "function",
    [attribute.toolCallId]: toolCallId.slice(0, longestId),
  };
  if (description !== undefined) attributes[attribute.toolDescription] = description;
  const { INTERNAL } = trace.api.SpanKind;
  const span = trace.start(`${operations.tool} ${name}`, INTERNAL, attributes, info.parent);
  if (span.isRecording && mayShow(trace, info))
    span.set(attribute.toolArguments, trace.writer.toolArguments(text));
  return span;
}

function endTool(trace: RunTrace, span: OpenSpan, info: CallInfo, outcome: CallOutcome): void {
  if (span.isEnded) return;
  const word = wordFor(outcome);
  // What waits, or has not begun, has not failed.
  const isFailed = "result" in outcome && word !== "success" && word !== "not-executed";
  const type = isFailed ? word : undefined;
  if (span.isRecording) {
    span.set(attribute.outcome, word);
    if ("result" in outcome) showResult(trace, span, info, outcome);
  }
  measure(trace, span, info, type);
  trace.close(span, type, "result" in outcome ? outcome.error : undefined);
}

/** How a call ended; one that waits, for a person or for what its tool has called, goes on in another span. */
function wordFor(outcome: CallOutcome): string {
  return "result" in outcome ? outcome.result.outcome : "waiting";
}

function showResult(
  trace: RunTrace,
  span: OpenSpan,
  info: CallInfo,
  { result, cached }: Extract<CallOutcome, { readonly result: unknown }>,
): void {
  if (cached) span.set(attribute.cached, true);
  if (!trace.settings.hasTools) return;
  trace.hasHidden ||= hasHidden(result);
  if (mayShow(trace, info)) span.set(attribute.toolResult, trace.writer.toolResult(result));
}

/** A tool that got a masked value may pass it on to the tools that it calls. */
function mayShow({ settings, hasHidden }: RunTrace, { parent }: CallInfo): boolean {
  return settings.hasTools && !(hasHidden && parent?.kind === "tool");
}

function measure(trace: RunTrace, span: OpenSpan, info: CallInfo, type: string | undefined): void {
  trace.metrics?.tool({ name: info.tool?.name ?? other, seconds: span.seconds, errorType: type });
}

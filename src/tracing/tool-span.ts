import type { ToolCall, ToolResult } from "../message/messages.ts";
import { hidden } from "../executor/policies/mask.ts";
import type { ToolStepInfo } from "../tool/step-middleware.ts";
import { isHidden } from "./content.ts";
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
  info: ToolStepInfo,
  next: (call: ToolCall) => Promise<ToolResult>,
): Promise<ToolResult> {
  const span = startTool(trace, call, info);
  try {
    const result = await trace.api.context.with(span.context, next, undefined, call);
    noteResult(trace, span, info, result);
    const { outcome } = result;
    // What waits, or was not begun, has not failed.
    const isFailed = outcome !== "success" && outcome !== "not-executed";
    endTool(trace, span, info, isFailed ? outcome : undefined);
    return result;
  } catch (error) {
    endTool(trace, span, info, info.signal.aborted ? cancelled : errorType(error), error);
    throw error;
  }
}

/** What a model only takes for a tool has no name here: it may be any text. */
function startTool(trace: RunTrace, { toolCallId, arguments: text }: ToolCall, info: ToolStepInfo): OpenSpan {
  const { name = other, description } = info.tool ?? {};
  const attributes = { [attribute.operation]: operations.tool, [attribute.toolName]: name };
  const span = trace.start(`${operations.tool} ${name}`, trace.api.SpanKind.INTERNAL, attributes, info);
  if (!span.isRecording) return span;
  span.set(attribute.toolType, "function");
  span.set(attribute.toolDescription, description);
  span.set(attribute.toolCallId, toolCallId.slice(0, longestId));
  if (mayShow(trace, info)) span.set(attribute.toolArguments, trace.writer.toolArguments(text));
  return span;
}

function noteResult(trace: RunTrace, span: OpenSpan, info: ToolStepInfo, result: ToolResult): void {
  if (!span.isRecording) return;
  span.set(attribute.outcome, result.outcome);
  if (info.isCached) span.set(attribute.cached, true);
  if (!trace.settings.hasTools) return;
  trace.hasHidden ||= isHidden(result, hidden);
  if (mayShow(trace, info)) span.set(attribute.toolResult, trace.writer.toolResult(result));
}

/** A tool that got a masked value may pass it on to the tools that it calls. */
function mayShow({ settings, hasHidden }: RunTrace, { key }: ToolStepInfo): boolean {
  return settings.hasTools && !(hasHidden && key.parent?.kind === "tool");
}

function endTool(trace: RunTrace, span: OpenSpan, info: ToolStepInfo, type?: string, error?: unknown): void {
  if (!span.isEnded)
    trace.metrics.tool({ name: info.tool?.name ?? other, seconds: span.seconds, errorType: type });
  trace.close(span, type, error);
}

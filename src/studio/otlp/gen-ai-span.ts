import type { FinishReason, Usage } from "../../message/messages.ts";
import { attribute, detailsEvent, operations, providerOfName } from "../../tracing/names.ts";
import type { Attributes, Span } from "./spans.ts";

/** What of an agent's work a span stands for. */
export type GenAiKind = "agent" | "model" | "tool";

const kinds: ReadonlyMap<unknown, GenAiKind> = new Map<unknown, GenAiKind>([
  [operations.agent, "agent"],
  ["invoke_workflow", "agent"],
  [operations.chat, "model"],
  ["generate_content", "model"],
  ["text_completion", "model"],
  [operations.tool, "tool"],
]);

/** What of an agent's work a span stands for; `undefined` for all others. */
export function kindOf({ attributes }: Span): GenAiKind | undefined {
  return kinds.get(attributes.get(attribute.operation));
}

/** The text of an attribute; `undefined` where there is none. */
export function textAt(attributes: Attributes, ...names: readonly string[]): string | undefined {
  const value = names.map((name) => attributes.get(name)).find((each) => each !== undefined);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** What was said, from the span or from its event. */
export function contentAt({ attributes, events }: Span, name: string): unknown {
  return attributes.get(name) ?? events.find((event) => event.name === detailsEvent)?.attributes.get(name);
}

/** Why a span has failed; `undefined` if it has not. */
export function problemOf({ hasFailed, problem, attributes, events }: Span): string | undefined {
  const type = textAt(attributes, attribute.errorType);
  if (!hasFailed && type === undefined) return undefined;
  const exception = events.find(({ name }) => name === "exception");
  const message = exception && textAt(exception.attributes, "exception.message");
  return (problem || message || type) ?? "failed";
}

/** The provider and the model that has answered. */
export function modelOf({ attributes, name }: Span): { readonly provider: string; readonly modelId: string } {
  const provider = textAt(attributes, attribute.provider, "gen_ai.system") ?? "";
  const modelId = textAt(attributes, attribute.requestModel) ?? textAt(attributes, attribute.responseModel);
  return { provider: providerOfName(provider), modelId: modelId ?? name };
}

/** The tokens of a model call, also by their former names; `undefined` where none are reported. */
export function usageOf({ attributes }: Span): Usage | undefined {
  const count = (...names: readonly string[]): number | undefined => {
    const value = names.map((name) => attributes.get(name)).find((each) => typeof each === "number");
    return typeof value === "number" && value >= 0 ? value : undefined;
  };
  const inputTokens = count(attribute.inputTokens, "gen_ai.usage.prompt_tokens");
  const outputTokens = count(attribute.outputTokens, "gen_ai.usage.completion_tokens");
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const cachedInputTokens = count(attribute.cacheRead);
  const cacheWriteTokens = count(attribute.cacheWrite, attribute.cacheCreation);
  const reasoningTokens = count(attribute.reasoningTokens);
  return {
    inputTokens,
    outputTokens,
    totalTokens: (inputTokens ?? 0) + (outputTokens ?? 0),
    ...(cachedInputTokens !== undefined && { cachedInputTokens }),
    ...(cacheWriteTokens !== undefined && { cacheWriteTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  };
}

const finishReasons: ReadonlyMap<unknown, FinishReason> = new Map<unknown, FinishReason>([
  ["stop", "stop"],
  ["end_turn", "stop"],
  ["length", "length"],
  ["max_tokens", "length"],
  ["tool_call", "tool-calls"],
  ["tool_calls", "tool-calls"],
  ["tool-calls", "tool-calls"],
  ["tool_use", "tool-calls"],
  ["content_filter", "content-filter"],
  ["content-filter", "content-filter"],
  ["error", "error"],
  ["cancelled", "cancelled"],
]);

/** Why the model stopped; `undefined` where the span does not say. */
export function finishReasonOf({ attributes }: Span): FinishReason | undefined {
  const reasons = attributes.get(attribute.finishReasons);
  const reason: unknown = Array.isArray(reasons) ? reasons[0] : reasons;
  if (typeof reason !== "string") return undefined;
  return finishReasons.get(reason.toLowerCase()) ?? "other";
}

/** When the first piece of the answer came; `undefined` where the span does not say. */
export function firstTokenOf({ attributes, start, end }: Span): number | undefined {
  const seconds = attributes.get(attribute.firstChunk);
  return typeof seconds === "number" && seconds >= 0 ? Math.min(end, start + seconds * 1_000) : undefined;
}

/** About how many bytes a span holds. */
export function sizeOfSpan({ attributes, events }: Span): number {
  const own = events.reduce((sum, event) => sum + sizeOf(event.attributes) + 100, 500);
  return own + sizeOf(attributes);
}

/** About how many bytes attributes hold. */
export function sizeOf(attributes: Attributes): number {
  let size = 0;
  for (const [name, value] of attributes)
    size += name.length + (typeof value === "string" ? value.length : (JSON.stringify(value)?.length ?? 0));
  return size;
}

import type { ModelEvent } from "../../model/types.ts";
import { problemOfGeneration } from "../../model/assert-generation.ts";
import { isObject } from "../../base/util/json.ts";
import { hasTexts, isContent, isListOf } from "./shapes.ts";

/** What the fields of each type of event must be. */
const checks: ReadonlyMap<unknown, (event: Readonly<Record<string, unknown>>) => boolean> = new Map(
  Object.entries({
    "text-delta": (event) => hasTexts(event, "text"),
    "reasoning-delta": (event) => hasTexts(event, "text"),
    "tool-input-delta": (event) => hasTexts(event, "toolCallId", "toolName", "text"),
    "tool-call": ({ toolCall }) => isToolCall(toolCall),
    "hosted-call": ({ call }) => hasTexts(call, "tool", "name", "id", "status"),
    finish: ({ generation }) => isGeneration(generation),
  } satisfies Record<ModelEvent["type"], (event: Readonly<Record<string, unknown>>) => boolean>),
);

/** Whether an event has a type that this version has. */
export function isKnownEvent(event: unknown): boolean {
  return isObject(event) && checks.has(event["type"]);
}

/** Whether an event has one of the known types, and what belongs to it. */
export function isModelEvent(event: unknown): event is ModelEvent {
  return isObject(event) && checks.get(event["type"])?.(event) === true;
}

function isGeneration(value: unknown): boolean {
  if (!hasTexts(value, "text", "finishReason") || problemOfGeneration(value) !== undefined) return false;
  const { message } = value;
  return isObject(message) && isContent(message["content"]) && isListOf(message["toolCalls"], isToolCall);
}

function isToolCall(value: unknown): boolean {
  return hasTexts(value, "toolCallId", "toolName", "arguments");
}

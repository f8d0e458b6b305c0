import type { FinishReason, Usage } from "../../message/messages.ts";
import type { Generation, ModelEvent } from "../../model/types.ts";
import { isPlainObject } from "../../base/util/json.ts";

const finishReasons: ReadonlySet<string> = new Set([
  "stop",
  "length",
  "tool-calls",
  "content-filter",
  "error",
  "cancelled",
  "other",
] satisfies FinishReason[]);

type Rule = (events: readonly ModelEvent[], generation: Generation) => Iterable<string>;

/** What holds for the events of every answer that ended well, by name. */
const rules = {
  text: textRule,
  calls: callsRule,
  "call-ids": idsRule,
  arguments: argumentsRule,
  "finish-reason": reasonRule,
  usage: usageRule,
  json: jsonRule,
} satisfies Record<string, Rule>;

/** The names of all rules. */
export const streamRules: readonly string[] = ["one-finish", ...Object.keys(rules)];

/** Tells `fail` which rules the events of an answer break. */
export function checkEvents(
  events: readonly ModelEvent[],
  fail: (message: string, rule: string) => void,
): void {
  const finishes = events.filter((event) => event.type === "finish");
  const [finish] = finishes;
  if (!finish) return fail("The stream ended without a finish event.", "one-finish");
  if (finishes.length > 1) fail(`There are ${finishes.length} finish events.`, "one-finish");
  const after = events.length - 1 - events.indexOf(finish);
  if (after > 0) fail(`After the finish event came ${after} more.`, "one-finish");
  for (const [name, rule] of Object.entries(rules))
    for (const message of rule(events, finish.generation)) fail(message, name);
}

function* textRule(events: readonly ModelEvent[], { text, message }: Generation): Iterable<string> {
  const pieces = events.flatMap((event) => (event.type === "text-delta" ? [event.text] : [])).join("");
  if (pieces !== text)
    yield `The pieces of text are ${quote(pieces)}, the generation's text is ${quote(text)}.`;
  const parts = message.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
  if (parts !== text) yield `The message's text is ${quote(parts)}, the generation's text is ${quote(text)}.`;
}

function* callsRule(events: readonly ModelEvent[], { toolCalls, message }: Generation): Iterable<string> {
  const reported = events.flatMap((event) => (event.type === "tool-call" ? [event.toolCall] : []));
  if (JSON.stringify(reported) !== JSON.stringify(toolCalls))
    yield `The tool-call events say ${quote(reported)}, the generation says ${quote(toolCalls)}.`;
  if (JSON.stringify(message.toolCalls) !== JSON.stringify(toolCalls))
    yield `The message's calls are ${quote(message.toolCalls)}, the generation's ${quote(toolCalls)}.`;
  const places = message.content.flatMap((part) => (part.type === "tool-call" ? [part.toolCallId] : []));
  const ids = toolCalls.map(({ toolCallId }) => toolCallId);
  if (JSON.stringify(places) !== JSON.stringify(ids))
    yield `The message's content has the calls ${quote(places)}, and there are ${quote(ids)}.`;
  for (const call of reported) {
    const deltas = events.filter(
      (event) => event.type === "tool-input-delta" && event.toolCallId === call.toolCallId,
    );
    const pieces = deltas.map((event) => ("text" in event ? event.text : "")).join("");
    if (deltas.length > 0 && pieces !== call.arguments)
      yield `The pieces of the arguments of ${call.toolCallId} are ${quote(pieces)}, the call has ${quote(call.arguments)}.`;
  }
}

function* idsRule(_: readonly ModelEvent[], { toolCalls }: Generation): Iterable<string> {
  const ids = new Set<string>();
  for (const { toolCallId, toolName } of toolCalls) {
    if (typeof toolCallId !== "string" || toolCallId === "") yield `A call of ${toolName} has no id.`;
    else if (ids.has(toolCallId)) yield `Two calls have the id ${quote(toolCallId)}.`;
    if (typeof toolName !== "string" || toolName === "") yield `The call ${toolCallId} names no tool.`;
    ids.add(toolCallId);
  }
}

function* argumentsRule(_: readonly ModelEvent[], { toolCalls, finishReason }: Generation): Iterable<string> {
  if (finishReason !== "tool-calls") return;
  for (const { toolCallId, arguments: text } of toolCalls) {
    if (!isJsonObject(text)) yield `The arguments of ${toolCallId} are not a JSON object: ${quote(text)}.`;
  }
}

function* reasonRule(_: readonly ModelEvent[], { finishReason, toolCalls }: Generation): Iterable<string> {
  if (!finishReasons.has(finishReason)) yield `The finish reason is ${quote(finishReason)}.`;
  if (finishReason === "tool-calls" && toolCalls.length === 0)
    yield 'The finish reason is "tool-calls", and there are none.';
  if (finishReason === "stop" && toolCalls.length > 0)
    yield `The finish reason is "stop", and there are ${toolCalls.length} calls.`;
}

function usageRule(_: readonly ModelEvent[], { usage }: Generation): Iterable<string> {
  return usageProblems(usage);
}

/** What is wrong with figures of usage. */
export function* usageProblems(usage: Usage): Iterable<string> {
  for (const [name, figure] of Object.entries(usage)) {
    if (figure !== undefined && !(Number.isInteger(figure) && figure >= 0))
      yield `The usage's ${name} is ${String(figure)}.`;
  }
  const { inputTokens, outputTokens, totalTokens, cachedInputTokens, reasoningTokens } = usage;
  if (isOver(cachedInputTokens, inputTokens)) yield "More input tokens were cached than there are.";
  if (isOver(reasoningTokens, outputTokens)) yield "More output tokens were reasoning than there are.";
  if (isOver(inputTokens, totalTokens) || isOver(outputTokens, totalTokens))
    yield "The total of tokens is less than a part of it.";
}

function* jsonRule(_: readonly ModelEvent[], { message }: Generation): Iterable<string> {
  if (!isJson(message)) yield `The message is not the same once it was JSON: ${quote(message)}.`;
}

/** Whether a value is JSON as it stands; what is `undefined` counts as absent. */
export function isJson(value: unknown, depth = 0): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (depth > 200) return false;
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth + 1));
  return (
    isPlainObject(value) &&
    Object.values(value).every((item) => item === undefined || isJson(item, depth + 1))
  );
}

function isOver(part: number | undefined, whole: number | undefined): boolean {
  return part !== undefined && whole !== undefined && part > whole;
}

function isJsonObject(text: string): boolean {
  try {
    return isPlainObject(JSON.parse(text));
  } catch {
    return false;
  }
}

/** A value as it is shown in a message. */
export function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

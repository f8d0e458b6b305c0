import { isObject } from "../../base/util/json.ts";
import type { AssistantMessage, Message, ToolCall, ToolResult } from "../../message/messages.ts";
import type { AssistantPart } from "../../message/parts.ts";
import type { ToolSpec } from "../../model/types.ts";

/** How many messages of a history are read, and parts of a message: the last ones, and the first ones. */
const mostMessages = 5_000;
const mostParts = 1_000;

/**
 * The messages of `gen_ai.input.messages` or `gen_ai.output.messages`, written by whatever framework: JSON, or its text. What does not
 * fit the conventions is left out.
 */
export function readMessages(value: unknown): readonly Message[] {
  const names = new Map<string, string>();
  return listIn(value)
    .slice(-mostMessages)
    .flatMap((message) => readMessage(message, names));
}

/** The text of `gen_ai.system_instructions`; `undefined` where there is none. */
export function readInstructions(value: unknown): string | undefined {
  const text = textOfParts(listIn(value));
  return text === "" ? undefined : text;
}

/** The tools of `gen_ai.tool.definitions` that have a schema. */
export function readTools(value: unknown): readonly ToolSpec[] {
  return listIn(value).flatMap(({ name, description, parameters }) => {
    if (typeof name !== "string" || !isObject(parameters)) return [];
    return [{ name, ...(typeof description === "string" && { description }), inputSchema: parameters }];
  });
}

/** A value of an attribute as text: arguments and results are JSON, or its text. */
export function textOfValue(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined ? "" : JSON.stringify(value);
}

/** A result in an attribute as text: JSON, or its text, and of a text the text itself. */
export function textOfResultValue(value: unknown): string {
  const inner = typeof value === "string" ? parsed(value) : undefined;
  return typeof inner === "string" ? inner : textOfValue(value);
}

/** A result as the conventions have it, as one of Skein's. */
export function resultOf(toolCallId: string, toolName: string, text: string, hasFailed: boolean): ToolResult {
  return {
    toolCallId,
    toolName,
    content: [{ type: "text", text }],
    isError: hasFailed,
    outcome: hasFailed ? "error" : "success",
  };
}

type Fields = Readonly<Record<string, unknown>>;

function listIn(value: unknown): readonly Fields[] {
  const list = typeof value === "string" ? parsed(value) : value;
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param names - The tools of calls so far, by the ids of these. */
function readMessage(
  { role, parts: list, content, name }: Fields,
  names: Map<string, string>,
): readonly Message[] {
  // Some write a text as `content`, as the conventions did before.
  const parts: readonly Fields[] = Array.isArray(list)
    ? list.filter(isObject).slice(0, mostParts)
    : typeof content === "string"
      ? [{ type: "text", content }]
      : [];
  if (role === "system") return [{ role, content: textOfParts(parts) }];
  if (role === "assistant") return [readAssistant(parts, name, names)];
  const results = parts.filter(({ type }) => type === "tool_call_response");
  const messages = results.map(({ id, response, result }): Message => {
    const toolCallId = textOf(id);
    const toolName = names.get(toolCallId) ?? "tool";
    return { role: "tool", result: resultOf(toolCallId, toolName, textOfValue(response ?? result), false) };
  });
  if (role !== "user") return messages;
  const text = textOfParts(parts.filter(({ type }) => type !== "tool_call_response"));
  return text === "" && messages.length > 0 ? messages : [...messages, { role, content: text }];
}

function readAssistant(
  parts: readonly Fields[],
  name: unknown,
  names: Map<string, string>,
): AssistantMessage {
  const content: AssistantPart[] = [];
  const toolCalls: ToolCall[] = [];
  for (const part of parts) {
    if (part["type"] === "text") content.push({ type: "text", text: textOf(part["content"]) });
    else if (part["type"] === "reasoning") content.push({ type: "reasoning", text: textOf(part["content"]) });
    else if (part["type"] === "tool_call") {
      const toolCallId = textOf(part["id"]);
      const toolName = textOf(part["name"]);
      names.set(toolCallId, toolName);
      content.push({ type: "tool-call", toolCallId });
      toolCalls.push({ toolCallId, toolName, arguments: textOfValue(part["arguments"]) });
    }
  }
  return { role: "assistant", content, toolCalls, ...(typeof name === "string" && { agent: name }) };
}

/** Texts as they are, and of everything else its kind. */
function textOfParts(parts: readonly Fields[]): string {
  return parts
    .map(({ type, content, modality }) => {
      if (type === "text") return textOf(content);
      return `[${textOf(modality) || textOf(type)}]`;
    })
    .join("\n");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

import type { ToolResult } from "../message/messages.ts";
import type { Part, AssistantPart } from "../message/parts.ts";
import type { Generation } from "../model/types.ts";
import { readDocument } from "../schema/lenient/read-document.ts";

/** The value of a text of JSON, read as arguments are: what cannot be read so is not executed. */
export function readJson(text: string): unknown {
  const parsed = readDocument(text);
  return parsed.ok ? parsed.value : undefined;
}

/** The names and values of a text of JSON, one to a line; the text itself where it is none. */
function textOfJson(text: string): string {
  const value = readJson(text);
  return typeof value === "object" && value !== null ? textOfValue(value) : text;
}

/** The names and values of JSON, one to a line. */
export function textOfValue(value: unknown): string {
  const texts: string[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const each = open.pop();
    if (typeof each === "object" && each !== null) {
      const entries = Object.entries(each).toReversed();
      for (const [name, member] of entries) open.push(member, ...(Array.isArray(each) ? [] : [name]));
    } else if (typeof each === "string") texts.push(each);
    else if (typeof each === "number" || typeof each === "boolean") texts.push(String(each));
  }
  return texts.join("\n");
}

/** The text of the parts that have any. */
export function textOfParts(parts: readonly (Part | AssistantPart)[], between = "\n"): string {
  return parts.flatMap((part) => (part.type === "text" ? part.text : [])).join(between);
}

/**
 * What of an answer a user may read: its text, and the arguments of the tool that takes an output.
 * @param isJson - Whether its text is an output.
 */
export function textOfAnswer(
  { text, message }: Generation,
  outputTool: string | undefined,
  isJson: boolean,
): string {
  // The one is the text of the run, the other stands in the history.
  const own = [...new Set([text, textOfParts(message.content, "")])].map(isJson ? textOfJson : String);
  const outputs = message.toolCalls.flatMap((call) =>
    call.toolName === outputTool ? textOfJson(call.arguments) : [],
  );
  return [...own, ...outputs].filter((each) => each !== "").join("\n");
}

/** All that can be read of a result, what was cut off included. */
export function textOfResult({ content, structuredContent, truncated }: ToolResult): string {
  const texts = [textOfParts(content), textOfValue(structuredContent), truncated?.text ?? ""];
  return texts.filter((text) => text !== "").join("\n");
}

import { canonicalJson } from "../../base/util/canonical-json.ts";
import { sameJson } from "../../base/util/same-json.ts";
import { isNote, notePart } from "../../executor/notes.ts";
import { hasHidden } from "../../executor/policies/mask.ts";
import type { Message, ToolCall, ToolResult } from "../../message/messages.ts";
import type { ActiveRun } from "../state/active-run.ts";

/** How many messages are searched for equal calls. */
const longestMemory = 200;

/** The results, with a note for the model in each that its call has had `most` times in a row. */
export function withNotes(
  run: ActiveRun,
  results: readonly ToolResult[],
  most: number,
): readonly ToolResult[] {
  return results.map((result) => {
    if (timesInARow(run, result, most) !== most) return result;
    const text = `Note: this call has had the same result ${most} times in a row. Do something else, or answer with what you have.`;
    return { ...result, content: [...result.content, notePart(text)] };
  });
}

/** Whether the model goes on making the call of one of these results, however often it had the same one: more than `most` times in a row. */
export function isRepeating(run: ActiveRun, results: readonly ToolResult[], most: number): boolean {
  return results.some((result) => timesInARow(run, result, most) > most);
}

/**
 * How often the call of a result had the same one in a row, this one included. Other calls between do not matter, since a model may go in
 * circles; another result, and a message of the user, start the count over. Calls of one answer count as one: the model has not seen
 * their results.
 */
function timesInARow(
  { config, conversation: { messages, inputLength } }: ActiveRun,
  result: ToolResult,
  most: number,
): number {
  const answerAt = messages.findLastIndex(({ role }) => role === "assistant");
  const call = callOf(messages[answerAt], result.toolCallId);
  // Nobody can say whether what is hidden is the same.
  if (!call || hasHidden(result)) return 0;
  // A run that goes on where one ended for this reason gives the model as many chances again.
  const start = config.resumed?.status === "repeating" ? inputLength : 0;
  const first = Math.max(start, answerAt - longestMemory);
  const isSame = sameCallAs(call);
  let count = 1;
  let after: ToolResult[] = [];
  for (let index = answerAt - 1; index >= first && count <= most; index--) {
    const message = messages[index];
    // The model reads nothing new in a correction: it comes from the run.
    if (message?.role === "user" && message.correction !== true) break;
    if (message?.role === "tool" && message.result.toolName === result.toolName) after.push(message.result);
    if (message?.role !== "assistant") continue;
    const earlier = after.filter(({ toolCallId }) => isSame(callOf(message, toolCallId)));
    after = [];
    if (earlier.length === 0) continue;
    if (!earlier.some((each) => isSameResult(each, result))) break;
    count++;
  }
  return count;
}

function callOf(message: Message | undefined, id: string): ToolCall | undefined {
  return message?.role === "assistant"
    ? message.toolCalls.find(({ toolCallId }) => toolCallId === id)
    : undefined;
}

/** Whether another call is of the same tool, with the same arguments, in whatever order and notation. */
function sameCallAs(call: ToolCall): (other: ToolCall | undefined) => boolean {
  const args = canonical(call.arguments);
  return (other) =>
    other?.toolName === call.toolName &&
    (other.arguments === call.arguments || canonical(other.arguments) === args);
}

function canonical(text: string): string {
  try {
    return canonicalJson(JSON.parse(text));
  } catch {
    return text;
  }
}

function isSameResult(one: ToolResult, other: ToolResult): boolean {
  return sameJson(visibleOf(one), visibleOf(other));
}

/** What a model sees of a result, without the notes about it, the order of properties, and the id by which the rest of a long one is read. */
function visibleOf({ content, structuredContent, isError, outcome, toolCallId }: ToolResult): unknown {
  const id = `"toolCallId":${JSON.stringify(toolCallId)}`;
  const parts = content
    .filter((part) => !isNote(part))
    .map((part) => (part.type === "text" ? { ...part, text: part.text.replaceAll(id, "") } : part));
  const value = structuredContent === undefined ? parts : canonicalJson(structuredContent);
  return { value, media: parts.filter(({ type }) => type !== "text"), isError, outcome };
}

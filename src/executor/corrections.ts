import { isCorrection } from "../message/is-correction.ts";
import type { Message, ToolCall, ToolResult } from "../message/messages.ts";
import { closest } from "../base/util/closest.ts";
import { invalidArgumentsMessage, kindOfIssue, listTools, unknownToolMessage } from "../schema/feedback.ts";
import { parseArguments } from "../schema/parse-arguments.ts";
import type { Issue } from "../schema/types.ts";
import type { Tool } from "../tool/types.ts";
import type { ExecutionScope } from "./types.ts";

/** How many messages, and how many of a tool's calls in them, are searched for a mistake that was made before. */
const longestMemory = 100;
const mostAttempts = 3;

/** Longer arguments of earlier calls are not read again. */
const longestAttempt = 20_000;

/** All unknown tools count as one: a model may invent another name every time. */
const unknownTool = Symbol("unknown tool");

/**
 * The text that a model gets about invalid arguments. If its last call of the tool had the same mistake (one of the same
 * kind at the same place), the text repeats what was wrong in its calls before.
 * @param messages the history, up to the answer with this call.
 */
export async function correctArguments(
  { toolName, arguments: raw }: ToolCall,
  tool: Tool,
  issues: readonly Issue[],
  messages: readonly Message[],
): Promise<string> {
  const kinds = new Set(issues.map(kindOfIssue));
  const earlier: Issue[] = [];
  for (const attempt of mistakesBefore(toolName, messages)) {
    const parsed = await parseArguments(attempt, tool.inputSchema, { maxLength: longestAttempt });
    const wrong = parsed.ok ? [] : parsed.issues;
    if (earlier.length === 0 && !wrong.some((issue) => kinds.has(kindOfIssue(issue)))) break;
    earlier.push(...wrong);
  }
  return invalidArgumentsMessage(toolName, issues, raw, earlier);
}

/** How many names of tools are compared with unknown ones for an answer: it may have thousands of calls, and an agent of tools. */
const mostComparisons = 20_000;

/** What the calls of one answer have in common: the tools, and how many of their names may be compared still. */
class NameHints {
  readonly #toolTable: CallsBehind["toolTable"];
  readonly #names: readonly string[];
  /** The history up to the answer, which is one list that grows. */
  readonly #messages: readonly Message[];
  readonly #length: number;
  #list: string | undefined;
  #left = mostComparisons;

  constructor({ toolTable, messages }: CallsBehind) {
    this.#toolTable = toolTable;
    this.#names = toolTable.names;
    this.#messages = messages;
    this.#length = messages.length;
  }

  /** Whether calls are of that answer, and for those tools. */
  areFor({ toolTable, messages }: CallsBehind): boolean {
    return toolTable === this.#toolTable && messages === this.#messages && messages.length === this.#length;
  }

  messageOf(toolName: string): string {
    this.#left -= this.#names.length;
    const near = this.#left >= 0 ? closest(toolName, this.#names) : [];
    return unknownToolMessage(toolName, this.#names, near, (this.#list ??= listTools(this.#names)));
  }
}

/** What is read of the scope that a call is executed in. */
type CallsBehind = Pick<ExecutionScope, "messages" | "memory"> & {
  readonly toolTable: Pick<ExecutionScope["toolTable"], "names">;
};

/** The message to a model about an unknown tool. */
export function correctName({ toolName }: ToolCall, calls: CallsBehind): string {
  const { messages, memory } = calls;
  const isRepeated = mistakesBefore(toolName, messages).length > 0;
  const before = memory.get(unknownTool);
  const hints = before instanceof NameHints && before.areFor(calls) ? before : new NameHints(calls);
  memory.set(unknownTool, hints);
  return `${hints.messageOf(toolName)}${isRepeated ? " You made this mistake before." : ""}`;
}

/** The arguments of the latest calls of a tool, newest first, as far as all of them were mistakes. */
function mistakesBefore(toolName: string, messages: readonly Message[]): readonly string[] {
  const attempts: string[] = [];
  let wrong = new Set<string>();
  for (const message of messages.slice(-longestMemory).toReversed()) {
    if (message.role === "user" || attempts.length >= mostAttempts) break;
    if (message.role === "tool" && message.result.toolName === toolName) {
      // A tool that is refused must look like an unknown one.
      if (!isCorrection(message.result.outcome) && message.result.outcome !== "denied") break;
      wrong.add(message.result.toolCallId);
    }
    // The answer that the call is in has thousands of calls, perhaps, and no results.
    if (message.role !== "assistant" || wrong.size === 0) continue;
    const calls = message.toolCalls.filter(({ toolCallId }) => wrong.has(toolCallId));
    attempts.push(...calls.map((call) => call.arguments));
    wrong = new Set();
  }
  return attempts.slice(0, mostAttempts);
}

/**
 * Whether the latest answers of a history were corrected `most` times in a row for one tool. Calls of one answer count as one;
 * an answer in which a call reached the tool starts the count over, and so does a message of the user. Unknown tools count
 * as one, which any success ends.
 * @param from index of the first message that counts.
 */
export function isStuck(messages: readonly Message[], most: number, from: number): boolean {
  const counts = new Map<unknown, number>();
  const over = new Set<unknown>();
  let wrong = new Set<unknown>();
  for (let index = messages.length - 1; index >= from; index--) {
    const message = messages[index];
    if (message?.role === "user") break;
    if (message?.role === "tool") recordOutcome(message.result, wrong, over);
    if (message?.role !== "assistant") continue;
    const inARow = [...wrong].filter((tool) => !over.has(tool));
    for (const tool of inARow) counts.set(tool, (counts.get(tool) ?? 0) + 1);
    if (inARow.some((tool) => (counts.get(tool) ?? 0) >= most)) return true;
    // Only tools of the last answer can have reached their limit with it.
    if ([...counts.keys()].every((tool) => over.has(tool))) break;
    wrong = new Set();
  }
  return false;
}

function recordOutcome({ toolName, outcome }: ToolResult, wrong: Set<unknown>, over: Set<unknown>): void {
  if (outcome === "unknown-tool") wrong.add(unknownTool);
  else if (isCorrection(outcome)) wrong.add(toolName);
  else if (outcome !== "not-executed") over.add(toolName);
  if (outcome === "success") over.add(unknownTool);
}

import type { AssistantMessage, Message, ToolCall, ToolResult, UserMessage } from "../../message/messages.ts";
import { isPlainObject, type JsonObject } from "../../base/util/json.ts";
import { isHandoffName } from "./handoffs.ts";
import { notice } from "./wording.ts";

/** The `provider` of the offline model, also for the data that it stores in a history. */
export const provider = "offline";

/** The question in the last answer: the tool to call, and the arguments collected so far. */
export interface Question {
  readonly toolName: string;
  readonly arguments: JsonObject;
}

/** A call since the user's last message, and its result. */
export interface RecentCall {
  readonly call: ToolCall;
  readonly result: ToolResult | undefined;
  readonly isHandoff: boolean;
}

/** How much of a message is read, in characters: the rules need no more, and searching takes time. */
const longestRequest = 4_000;

/** The part of a history that the rules use. */
export interface OfflineConversation {
  /** The user's last message; empty if there is none. */
  readonly request: string;
  /** Set if that message answers a question of this model. */
  readonly question: Question | undefined;
  /** The calls since that message, in order. */
  readonly recentCalls: readonly RecentCall[];
  /** The names of the agents that have had a turn since that message. */
  readonly agents: readonly string[];
  /** Whether an answer already has the notice that this is not a language model. */
  readonly isIntroduced: boolean;
  /** How many calls the history holds. */
  readonly callCount: number;
}

/** Reads a history. */
export function readConversation(messages: readonly Message[]): OfflineConversation {
  const at = messages.findLastIndex((message) => message.role === "user" && !message.correction);
  const user = messages[at];
  const answers = messages.filter((message) => message.role === "assistant");
  const since = messages.slice(at + 1);
  const turns = since.filter((message) => message.role === "assistant");
  const results = since.flatMap((message) => (message.role === "tool" ? [message.result] : []));
  const before = messages.slice(0, Math.max(at, 0)).findLast(({ role }) => role !== "system");
  return {
    request: user?.role === "user" ? userText(user).slice(0, longestRequest) : "",
    question: before?.role === "assistant" ? questionIn(before) : undefined,
    recentCalls: turns.flatMap(({ toolCalls }) => toolCalls).map((call) => toRecentCall(call, results)),
    agents: turns.flatMap(({ agent }) => (agent === undefined ? [] : [agent])),
    isIntroduced: answers.some(({ content }) =>
      content.some((part) => part.type === "text" && part.text.includes(notice)),
    ),
    callCount: answers.reduce((count, { toolCalls }) => count + toolCalls.length, 0),
  };
}

function userText({ content }: UserMessage): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function toRecentCall(call: ToolCall, results: readonly ToolResult[]): RecentCall {
  const result = results.find(({ toolCallId }) => toolCallId === call.toolCallId);
  const isHandoff = isHandoffName(call.toolName) || resultText(result).startsWith("Transferred to ");
  return { call, result, isHandoff };
}

/** The text of a tool's result. */
function resultText(result: ToolResult | undefined): string {
  return result?.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n") ?? "";
}

/** Reads the question that is stored in the provider data of its text: the model has no other memory than the history. */
function questionIn(message: AssistantMessage): Question | undefined {
  for (const part of message.content) {
    if (part.type !== "text" || part.providerData?.provider !== provider) continue;
    const { data } = part.providerData;
    if (!isPlainObject(data) || !isPlainObject(data["asking"])) continue;
    const { toolName, arguments: collected } = data["asking"];
    if (typeof toolName === "string" && isPlainObject(collected)) return { toolName, arguments: collected };
  }
  return undefined;
}

import type { AssistantMessage, Message, ToolCall, ToolResult, UserMessage } from "../../message/messages.ts";
import { isPlainObject, type JsonObject } from "../../base/util/json.ts";
import { isHandoffName } from "./handoffs.ts";
import { notice } from "./wording.ts";

/** The `provider` of the offline model, which also marks what it keeps for itself in a history. */
export const provider = "offline";

/** What was asked for in the last answer, and what is known already. */
export interface Question {
  readonly toolName: string;
  readonly arguments: JsonObject;
}

/** A call made since the user spoke, and its result. */
export interface MadeCall {
  readonly call: ToolCall;
  readonly result: ToolResult | undefined;
  readonly isHandoff: boolean;
}

/** How much of a message is read, in characters: rules have no use for more, and searching takes time. */
const longestRequest = 4_000;

/** What the rules see of a history. */
export interface OfflineConversation {
  /** What the user said last; empty where nobody has spoken. */
  readonly request: string;
  /** Set where that is the answer to a question of this model. */
  readonly question: Question | undefined;
  /** The calls made since, in order. */
  readonly made: readonly MadeCall[];
  /** Names of the agents that have had their turn since, the user's message being the start. */
  readonly agents: readonly string[];
  /** Whether this model has said what it is. */
  readonly isIntroduced: boolean;
  /** How many calls the history holds. */
  readonly callCount: number;
}

/** Reads a history. */
export function readConversation(messages: readonly Message[]): OfflineConversation {
  const at = messages.findLastIndex((message) => message.role === "user" && !message.correction);
  const user = messages[at];
  const said = messages.filter((message) => message.role === "assistant");
  const since = messages.slice(at + 1);
  const turns = since.filter((message) => message.role === "assistant");
  const results = since.flatMap((message) => (message.role === "tool" ? [message.result] : []));
  const before = messages.slice(0, Math.max(at, 0)).findLast(({ role }) => role !== "system");
  return {
    request: user?.role === "user" ? userText(user).slice(0, longestRequest) : "",
    question: before?.role === "assistant" ? questionIn(before) : undefined,
    made: turns.flatMap(({ toolCalls }) => toolCalls).map((call) => madeCall(call, results)),
    agents: turns.flatMap(({ agent }) => (agent === undefined ? [] : [agent])),
    isIntroduced: said.some(({ content }) =>
      content.some((part) => part.type === "text" && part.text.includes(notice)),
    ),
    callCount: said.reduce((count, { toolCalls }) => count + toolCalls.length, 0),
  };
}

function userText({ content }: UserMessage): string {
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

function madeCall(call: ToolCall, results: readonly ToolResult[]): MadeCall {
  const result = results.find(({ toolCallId }) => toolCallId === call.toolCallId);
  const isHandoff = isHandoffName(call.toolName) || resultText(result).startsWith("Transferred to ");
  return { call, result, isHandoff };
}

/** The text of a tool's result. */
function resultText(result: ToolResult | undefined): string {
  return result?.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n") ?? "";
}

/** A question is remembered in the provider data of its text: a history is all that this model knows. */
function questionIn(message: AssistantMessage): Question | undefined {
  for (const part of message.content) {
    if (part.type !== "text" || part.providerData?.provider !== provider) continue;
    const { data } = part.providerData;
    if (!isPlainObject(data) || !isPlainObject(data["asking"])) continue;
    const { toolName, arguments: known } = data["asking"];
    if (typeof toolName === "string" && isPlainObject(known)) return { toolName, arguments: known };
  }
  return undefined;
}

import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { AssistantMessage, UserMessage } from "../../message/messages.ts";
import { unstartedCalls } from "../../run/session/interrupted-calls.ts";
import type { StoredConversation } from "../../run/session/stored-conversation.ts";
import { isAnswerTool } from "../../protocols/ag-ui/answer-tool.ts";
import { TextChunks } from "./text-chunks.ts";
import type { ToolCards } from "./tool-cards.ts";

/**
 * Sends a conversation that is stored, as if it happened now. Of a call without a result nobody knows what became of it, unless it has
 * certainly not begun.
 */
export function replay(
  conversation: StoredConversation,
  cards: ToolCards,
  send: (update: SessionUpdate) => void,
  agent: string,
): void {
  const text = new TextChunks(send);
  const unstarted = unstartedCalls(conversation);
  for (const message of conversation.messages) {
    text.end();
    if (message.role === "user") replayUser(message, text, send);
    if (message.role === "assistant") replayAssistant(message, cards, text, agent, unstarted);
    if (message.role !== "tool") continue;
    const { result } = message;
    const card = cards.find("", result.toolCallId);
    if (card) cards.end(card, result);
  }
  cards.stopAll("The call has no result yet: /continue goes on with it, another message gives it up.");
}

function replayUser(
  { content, correction, summaryOf }: UserMessage,
  text: TextChunks,
  send: (update: SessionUpdate) => void,
): void {
  // Neither was written by the user.
  if (correction || summaryOf !== undefined) return;
  const parts = typeof content === "string" ? [{ type: "text", text: content } as const] : content;
  for (const part of parts) {
    if (part.type === "text") text.write("user_message_chunk", part.text);
    else if (part.type === "image") sendImage(part.url, send);
    else if (part.type === "file") text.write("user_message_chunk", `[${part.filename ?? "file"}]`);
  }
}

function sendImage(url: string, send: (update: SessionUpdate) => void): void {
  const data = /^data:([^;,]+);base64,(.*)$/s.exec(url);
  if (!data) return;
  const content = { type: "image", mimeType: data[1] ?? "", data: data[2] ?? "" } as const;
  send({ sessionUpdate: "user_message_chunk", content });
}

function replayAssistant(
  message: AssistantMessage,
  cards: ToolCards,
  text: TextChunks,
  agent: string,
  unstarted: ReadonlySet<string>,
): void {
  for (const part of message.content) {
    if (part.type === "text") text.write("agent_message_chunk", part.text);
    if (part.type === "reasoning") text.write("agent_thought_chunk", part.text);
  }
  for (const call of message.toolCalls) {
    // The user has seen it as text.
    if (isAnswerTool(call.toolName)) {
      text.write("agent_message_chunk", call.arguments);
      continue;
    }
    const card = cards.begin("", message.agent ?? agent, call);
    cards.start(card, call, unstarted.has(call.toolCallId) ? "pending" : "in_progress");
  }
}

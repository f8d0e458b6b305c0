import { Chat, useChat } from "@ai-sdk/react";
import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
} from "ai";
import type { AgentData, HandoffData, MessageMetadata } from "skein/protocols";

/** A message with what Skein adds: who answered, handoffs, and agents that are called as tools. */
export type DeskMessage = UIMessage<MessageMetadata, { handoff: HandoffData; agent: AgentData }>;

/** A conversation on the server. */
export interface StoredChat {
  readonly messages: DeskMessage[];
  /** Whether an answer is under way: `messages` ends before it, and `resumeStream` has it from its beginning. */
  readonly isWorking: boolean;
}

const api = "/chat/desk";

/** Edited arguments by the ids of their approvals. They go with the request that has the run go on. */
const approvalArguments: Record<string, unknown> = {};

const transport = new DefaultChatTransport<DeskMessage>({ api, body: () => ({ approvalArguments }) });

/** What the server has of a conversation. */
export async function loadChat(id: string): Promise<StoredChat> {
  const response = await fetch(`${api}/${id}`);
  if (!response.ok) throw new Error(`The conversation cannot be loaded: status ${response.status}.`);
  return response.json();
}

/** A conversation in the page, which begins with what the server has of it. */
export function createChat(id: string, messages: DeskMessage[]): Chat<DeskMessage> {
  return new Chat({
    id,
    messages,
    transport,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  });
}

/** `useChat`, and what a conversation that the server keeps needs besides. */
export function useDesk(chat: Chat<DeskMessage>): Desk {
  // An answer that was under way when the page was loaded goes on.
  const { messages, error } = useChat({ chat, resume: true });
  const isWorking = (): boolean => chat.status === "submitted" || chat.status === "streaming";
  return {
    messages,
    error,
    isWorking: isWorking(),
    send: (text) => chat.sendMessage({ text }),
    decide: async (approvalId, approved, edited) => {
      if (edited !== undefined) approvalArguments[approvalId] = edited;
      await chat.addToolApprovalResponse({ id: approvalId, approved });
    },
    // chat.stop() would only leave: the run goes on for those who come back.
    stop: async () => void (await fetch(`${api}/${chat.id}/stop`, { method: "POST" })),
    refresh: async () => {
      const stored = await loadChat(chat.id);
      const isSame = chat.status === "ready" && stored.messages.length === chat.messages.length;
      // A message was sent meanwhile, or the page has all there is.
      if (isWorking() || (isSame && !stored.isWorking)) return;
      chat.clearError();
      chat.messages = stored.messages;
      if (stored.isWorking) await chat.resumeStream();
    },
  };
}

/** What `useDesk` returns. */
export interface Desk {
  readonly messages: readonly DeskMessage[];
  readonly error: Error | undefined;
  /** Whether an answer comes. */
  readonly isWorking: boolean;
  send(text: string): Promise<void>;
  /** Decides on a call that waits, with other arguments if there are any. */
  decide(approvalId: string, approved: boolean, edited?: unknown): Promise<void>;
  /** Ends the answer, for all who read it. */
  stop(): Promise<void>;
  /** Shows what the server has, where another tab has gone on. */
  refresh(): Promise<void>;
}

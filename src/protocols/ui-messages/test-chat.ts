import { Chat } from "@ai-sdk/react";
import {
  DefaultChatTransport,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  lastAssistantMessageIsCompleteWithToolCalls,
  type UIMessage as AiMessage,
} from "ai";
import { vi } from "vitest";
import { type Agent, type RunState, type RunStream, stream } from "../../index.ts";
import type { PendingCall } from "../../message/run-state.ts";
import { readUIMessages, type UIMessagesRequest } from "./read-ui-messages.ts";
import { toUIMessageResponse } from "./to-ui-message-chunks.ts";

/** What a server needs for one chat: the history is its own, and of the client it takes what is new. */
export class ChatServer {
  readonly requests: UIMessagesRequest[] = [];
  state: RunState | undefined;
  pending: readonly PendingCall[] = [];
  cancelled = 0;
  readonly #agent: () => Agent;

  /** @param agent - Makes the agent for each request. */
  constructor(agent: () => Agent) {
    this.#agent = agent;
  }

  /** A route that `useChat` posts to. */
  async post(request: Request): Promise<Response> {
    const body = readUIMessages(await request.json());
    this.requests.push(body);
    const { pending } = this;
    const isContinuation = body.message === undefined;
    const running = this.#start(body);
    void this.#keep(running);
    return toUIMessageResponse(running, {
      ...(isContinuation && { isContinuation, pending }),
      ...(isContinuation && body.assistantMessageId && { messageId: body.assistantMessageId }),
      onCancel: () => {
        this.cancelled += 1;
        running.cancel();
      },
    });
  }

  async #keep(running: RunStream): Promise<void> {
    try {
      const { state, pending } = await running.result;
      this.state = state;
      this.pending = pending;
    } catch {
      // The client has an error, and the conversation stays as it was.
    }
  }

  #start({ message, decisions, results }: UIMessagesRequest): RunStream {
    const { state, pending } = this;
    if (message) return stream(this.#agent(), [...(state?.messages ?? []), message]);
    const approvals = decisions.filter(({ approvalId }) =>
      pending.some((call) => call.approvalId === approvalId),
    );
    const own = results.filter(({ toolCallId }) =>
      pending.some((call) => call.approvalId === undefined && call.toolCallId === toolCallId),
    );
    return stream(this.#agent(), state ?? [], { approvals, results: own });
  }
}

/** The `Chat` of `useChat`, which sends decisions and results by itself, as the AI SDK's pages do. */
export function chatOf(
  server: ChatServer,
  onToolCall?: (toolName: string, toolCallId: string) => void,
): Chat<AiMessage> {
  return new Chat({
    transport: new DefaultChatTransport({
      api: "http://chat.example/api",
      fetch: (input, init) => server.post(new Request(input, init)),
    }),
    sendAutomaticallyWhen: (options) =>
      lastAssistantMessageIsCompleteWithApprovalResponses(options) ||
      lastAssistantMessageIsCompleteWithToolCalls(options),
    onToolCall: ({ toolCall }) => onToolCall?.(toolCall.toolName, toolCall.toolCallId),
  });
}

/** Waits until the chat has nothing more to do, and the server has answered this number of requests. */
export async function settled(chat: Chat<AiMessage>, server: ChatServer, requests: number): Promise<void> {
  await vi.waitUntil(() => server.requests.length >= requests && chat.status === "ready", { timeout: 5_000 });
  // It would send once more by itself now, if it was going to.
  await new Promise((resolve) => setTimeout(resolve, 20));
}

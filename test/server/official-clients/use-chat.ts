import { Chat } from "@ai-sdk/react";
import {
  DefaultChatTransport,
  isToolUIPart,
  lastAssistantMessageIsCompleteWithApprovalResponses,
  type UIMessage,
} from "ai";
import { vi } from "vitest";
import type { OfficialClient, Question, Verdict } from "./client.ts";

function lastText({ messages }: Chat<UIMessage>): string {
  const parts = messages.at(-1)?.parts ?? [];
  return parts.map((part) => (part.type === "text" ? part.text : "")).findLast((text) => text !== "") ?? "";
}

function messageOf({ text, image }: Question): Parameters<Chat<UIMessage>["sendMessage"]>[0] {
  if (image === undefined) return { text };
  const url = `data:image/png;base64,${image}`;
  return { text, files: [{ type: "file", mediaType: "image/png", url }] };
}

async function decide(chat: Chat<UIMessage>, verdict: Verdict): Promise<void> {
  const part = chat.messages.at(-1)?.parts.find((each) => isToolUIPart(each));
  if (part?.state !== "approval-requested") throw new Error("Nothing waits.");
  const { id } = part.approval;
  await chat.addToolApprovalResponse({
    id,
    approved: verdict !== "deny",
    ...(typeof verdict === "object" && {
      options: { body: { approvalArguments: { [id]: verdict.edited } } },
    }),
  });
  await vi.waitUntil(() => chat.status === "ready" && lastText(chat) !== "", { timeout: 5_000 });
}

/** `useChat` of the AI SDK, without its page. */
export const useChat: OfficialClient = {
  name: "ai (Chat)",
  lacks: ["typed output"],
  connect(url) {
    const id = crypto.randomUUID();
    const open = (messages: UIMessage[] = []): Chat<UIMessage> =>
      new Chat({
        id,
        messages,
        transport: new DefaultChatTransport({ api: `${url}/chat/desk` }),
        sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
      });
    /** An answer, the first text of which has come. */
    const begin = async (question: Question): Promise<{ chat: Chat<UIMessage>; sent: Promise<void> }> => {
      const chat = open();
      const sent = chat.sendMessage(messageOf(question));
      await vi.waitUntil(() => chat.messages.length > 1 && lastText(chat) !== "", { timeout: 5_000 });
      return { chat, sent };
    };
    return {
      ask: async (question) => {
        const chat = open();
        await chat.sendMessage(messageOf(question));
        if (chat.error) throw chat.error;
        if (question.verdict) await decide(chat, question.verdict);
        return lastText(chat);
      },
      askAndLoseConnection: async (question, goOn) => {
        const { chat, sent } = await begin(question);
        await chat.stop();
        await sent;
        const { messages } = await (await fetch(`${url}/chat/desk/${id}`)).json();
        const page = open(messages);
        const resumed = page.resumeStream();
        await vi.waitUntil(() => lastText(page) !== question.text, { timeout: 5_000 });
        goOn();
        await resumed;
        return lastText(page);
      },
      askAndStop: async (question) => {
        const { sent } = await begin(question);
        await fetch(`${url}/chat/desk/${id}/stop`, { method: "POST" });
        await sent;
      },
    };
  },
};

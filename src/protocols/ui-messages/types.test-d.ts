import type { UIMessage as AiMessage, UIMessageChunk as AiChunk } from "ai";
import { expectTypeOf, test } from "vitest";
import type { UIMessageChunk } from "./chunks.ts";
import type { toUIMessages } from "./to-ui-messages.ts";
import type { AgentData, HandoffData, MessageMetadata, UIMessage } from "./ui-message.ts";

/** What a page declares: `useChat<ChatMessage>()`. */
type ChatMessage = AiMessage<MessageMetadata, { handoff: HandoffData; agent: AgentData }>;

test("chunks are those of the AI SDK, with the metadata and data parts of this room", () => {
  expectTypeOf<UIMessageChunk>().toExtend<AiChunk>();
  expectTypeOf<UIMessageChunk>().toExtend<
    AiChunk<MessageMetadata, { handoff: HandoffData; agent: AgentData }>
  >();
});

test("messages are those of the AI SDK", () => {
  expectTypeOf<UIMessage>().toExtend<AiMessage>();
  expectTypeOf<UIMessage>().toExtend<ChatMessage>();
  expectTypeOf<ReturnType<typeof toUIMessages>>().toExtend<ChatMessage[]>();
});

export type { HttpAgent } from "../../transport/wire/types.ts";
export { openai, type OpenAI } from "./openai.ts";
export type { OpenAIOptions } from "./options.ts";
export {
  type ChatAssistantMessage,
  type ChatContentPart,
  type ChatMessage,
  type ChatMessagesOptions,
  type ChatToolCall,
  fromChatMessages,
  toChatMessages,
} from "./chat-messages.ts";

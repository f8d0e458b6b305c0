export type { HttpAgent } from "../../transport/wire/types.ts";
export type { UploadOptions } from "../kit/uploads/types.ts";
export { openai, type OpenAI } from "./openai.ts";
export type { OpenAIOptions, OpenAIResponsesOptions } from "./options.ts";
export type {
  OpenAICodeInterpreterOptions,
  OpenAIFileFilter,
  OpenAIFileSearchOptions,
  OpenAIImageGenerationOptions,
  OpenAITool,
  OpenAITools,
  OpenAIUserLocation,
  OpenAIWebSearchOptions,
} from "./tools.ts";
export {
  type ChatAssistantMessage,
  type ChatContentPart,
  type ChatMessage,
  type ChatMessagesOptions,
  type ChatToolCall,
  fromChatMessages,
  toChatMessages,
} from "./chat-messages.ts";

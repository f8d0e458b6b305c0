export type { ShowOptions } from "../../run/public/show.ts";
export type { PublicError } from "../../run/public/public-error.ts";
export type { CallerTool } from "../../run/caller-tools.ts";
export { toEventStream, type EventStreamOptions } from "../events/to-event-stream.ts";
export type { AnswerOptions } from "../kit/answer-reader.ts";
export {
  openaiError,
  type OpenAIErrorBody,
  type OpenAIErrorDetails,
  openaiErrorOf,
} from "../kit/openai-error.ts";
export type { OpenAIRequest } from "../kit/openai-request.ts";
export type { OpenAITool } from "../kit/openai-settings.ts";
export type { RunEventSource, SourceEvent } from "../kit/source.ts";
export type { ChatStreamItem } from "../chat-completions/encoder.ts";
export { type ChatCompletionRequest, fromChatCompletionRequest } from "../chat-completions/request.ts";
export {
  type ChatCompletionOptions,
  type ChatCompletionResponseOptions,
  toChatCompletion,
  toChatCompletionChunks,
  toChatCompletionResponse,
} from "../chat-completions/to-chat-completion.ts";
export type * from "../chat-completions/types.ts";
export { fromResponsesRequest, type ResponsesRequest } from "../responses/request.ts";
export {
  type ResponseEventOptions,
  type ResponseIdentity,
  type ResponseOptions,
  type ResponsesResponseOptions,
  toResponse,
  toResponseEvents,
  toResponsesResponse,
  toUnreadResponse,
} from "../responses/to-response.ts";
export type * from "../responses/types.ts";
export type { ToolChunk, UIFinishReason, UIMessageChunk } from "../ui-messages/chunks.ts";
export { type FromUIMessages, fromUIMessages } from "../ui-messages/from-ui-messages.ts";
export type { UIMessageChunkOptions, UIMessageResponseOptions } from "../ui-messages/options.ts";
export { readUIMessages, type UIMessagesRequest } from "../ui-messages/read-ui-messages.ts";
export { toUIMessageChunks, toUIMessageResponse } from "../ui-messages/to-ui-message-chunks.ts";
export { toUIMessages, type ToUIMessagesOptions } from "../ui-messages/to-ui-messages.ts";
export type {
  AgentCall,
  AgentData,
  FilePart as UIFilePart,
  HandoffData,
  MessageMetadata,
  TextPart as UITextPart,
  ToolPart,
  UIMessage,
  UIMessagePart,
} from "../ui-messages/ui-message.ts";
export {
  type AgUiClientTool,
  type AgUiInput,
  type AgUiUserMessage,
  fromAgUiInput,
} from "../ag-ui/from-ag-ui-input.ts";
export type { AgUiOptions, AgUiResponseOptions } from "../ag-ui/options.ts";
export { toAgUiEvents, toAgUiResponse } from "../ag-ui/to-ag-ui-events.ts";
export { type AgUiMessagesOptions, toAgUiMessages } from "../ag-ui/to-ag-ui-messages.ts";
export type * from "../ag-ui/types.ts";

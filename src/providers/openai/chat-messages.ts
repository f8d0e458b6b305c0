import { InvalidInputError } from "../../errors.ts";
import type { AssistantMessage, Message, ToolCall } from "../../message/messages.ts";
import type { AssistantPart, Part } from "../../message/parts.ts";
import { chatMessages } from "./chat/messages.ts";
import { openaiInfo } from "./info.ts";
import { assertKnownOptions } from "../../base/options/known-options.ts";

/** A part of a message's content in the Chat Completions form. */
export type ChatContentPart =
  | { type: "text"; text: string }
  | { type: "refusal"; refusal: string }
  | { type: "image_url"; image_url: { url: string; detail?: string } }
  | { type: "file"; file: { file_data?: string; file_id?: string; filename?: string } }
  | { type: "input_audio"; input_audio: { data: string; format: string } };

/** A call in the Chat Completions form. */
export interface ChatToolCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

/** An assistant message in the Chat Completions form. `sender` is Swarm's field for the agent's name. */
export interface ChatAssistantMessage {
  role: "assistant";
  content?: string | readonly ChatContentPart[] | null;
  refusal?: string | null;
  name?: string;
  sender?: string;
  reasoning_content?: string;
  reasoning?: string;
  tool_calls?: readonly ChatToolCall[] | null;
}

/** A message in the form of Chat Completions (https://platform.openai.com/docs/api-reference/chat). */
export type ChatMessage =
  | { role: "system" | "developer"; content: string | readonly ChatContentPart[]; name?: string }
  | { role: "user"; content: string | readonly ChatContentPart[]; name?: string }
  | ChatAssistantMessage
  | { role: "tool"; tool_call_id: string; content: string | readonly ChatContentPart[] };

/** Options for translating to and from the Chat Completions form. */
export interface ChatMessagesOptions {
  /** The `provider` of the model that wrote the reasoning; `"openai"` by default. */
  readonly provider?: string;
}

const optionNames = { provider: true } satisfies Record<keyof ChatMessagesOptions, true>;

/**
 * Reads a history in the Chat Completions form.
 * @throws InvalidInputError for a role or a part that Skein cannot represent, such as a file by its id.
 */
export function fromChatMessages(
  messages: readonly ChatMessage[],
  options: ChatMessagesOptions = {},
): Message[] {
  assertKnownOptions(options, optionNames, "fromChatMessages()");
  const { provider = openaiInfo.name } = options;
  const toolNames = new Map<string, string>();
  return messages.map((message, index): Message => {
    const at = `messages[${index}]`;
    if (message.role === "system" || message.role === "developer") {
      return { role: "system", content: plainText(message.content, at) };
    }
    if (message.role === "user") {
      const { content } = message;
      if (typeof content === "string") return { role: "user", content };
      return { role: "user", content: partsOf(content, at) };
    }
    if (message.role === "assistant") {
      for (const call of message.tool_calls ?? []) toolNames.set(call.id, call.function.name);
      return assistantOf(message, provider, at);
    }
    if (message.role !== "tool") {
      throw new InvalidInputError(`${at}.role must be system, developer, user, assistant or tool.`);
    }
    const { tool_call_id: toolCallId, content } = message;
    const parts: Part[] =
      typeof content === "string" ? [{ type: "text", text: content }] : partsOf(content, at);
    const toolName = toolNames.get(toolCallId) ?? "";
    return {
      role: "tool",
      result: { toolCallId, toolName, content: parts, isError: false, outcome: "success" },
    };
  });
}

/**
 * Writes a history in the Chat Completions form, with ids and names unchanged. What that form cannot represent is left out: the
 * reasoning of other providers, and whether a tool result is an error. Images of a tool result follow in a user message.
 */
export function toChatMessages(
  messages: readonly Message[],
  options: ChatMessagesOptions = {},
): ChatMessage[] {
  assertKnownOptions(options, optionNames, "toChatMessages()");
  const { provider = openaiInfo.name } = options;
  return chatMessages(undefined, messages, {
    provider,
    modelId: "",
    host: "",
    isOpenAI: true,
    isExport: true,
  }).messages;
}

function assistantOf(message: ChatAssistantMessage, provider: string, at: string): AssistantMessage {
  const content: AssistantPart[] = [];
  for (const field of ["reasoning_content", "reasoning"] as const) {
    const text = message[field];
    if (text) content.push({ type: "reasoning", text, providerData: { provider, data: { field } } });
  }
  if (typeof message.content === "string") {
    if (message.content !== "") content.push({ type: "text", text: message.content });
  } else {
    for (const part of message.content ?? []) {
      content.push(
        part.type === "refusal" ? refusalOf(part.refusal, provider) : partOf(part, `${at}.content`),
      );
    }
  }
  if (message.refusal) content.push(refusalOf(message.refusal, provider));
  const toolCalls = (message.tool_calls ?? []).map((call): ToolCall => ({
    toolCallId: call.id,
    toolName: call.function.name,
    arguments: call.function.arguments,
  }));
  for (const { toolCallId } of toolCalls) content.push({ type: "tool-call", toolCallId });
  const agent = message.sender ?? message.name;
  return { role: "assistant", content, toolCalls, ...(agent !== undefined && { agent }) };
}

function refusalOf(text: string, provider: string): AssistantPart {
  return { type: "text", text, providerData: { provider, data: { refusal: true } } };
}

function plainText(content: string | readonly ChatContentPart[], at: string): string {
  if (typeof content === "string") return content;
  return partsOf(content, at)
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("");
}

function partsOf(content: readonly ChatContentPart[], at: string): Part[] {
  return content.map((part, index) => partOf(part, `${at}.content[${index}]`));
}

function partOf(part: ChatContentPart, at: string): Part {
  if (part.type === "text") return { type: "text", text: part.text };
  if (part.type === "image_url") return { type: "image", url: part.image_url.url };
  if (part.type === "input_audio") {
    const { data, format } = part.input_audio;
    return { type: "file", url: `data:audio/${format};base64,${data}` };
  }
  if (part.type === "file" && part.file.file_data !== undefined) {
    const { file_data: url, filename } = part.file;
    return { type: "file", url, ...(filename !== undefined && { filename }) };
  }
  throw new InvalidInputError(
    `${at} is not a supported part. A part must be text, an image, audio, or a file with its data.`,
  );
}

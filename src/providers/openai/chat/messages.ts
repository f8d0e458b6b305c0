import { wellFormedJson } from "../../../base/util/well-formed-json.ts";
import type {
  ChatCompletionContentPart,
  ChatCompletionMessageFunctionToolCall,
  ChatCompletionSystemMessageParam,
  ChatCompletionToolMessageParam,
  ChatCompletionUserMessageParam,
} from "openai/resources/chat/completions";
import { historyProgress } from "../../../message/history-progress.ts";
import type {
  AssistantMessage,
  Message,
  ToolCall,
  ToolResult,
  UserMessage,
} from "../../../message/messages.ts";
import type { AssistantPart, Part } from "../../../message/parts.ts";
import { assertAssistantParts, assertParts } from "../../../model/assert-parts.ts";
import { digest, wireName } from "../../../model/wire-names.ts";
import type { PrefixCache } from "../../../base/util/prefix-cache.ts";
import type { JsonValue } from "../../../base/util/json.ts";
import { contentPart } from "./content-parts.ts";
import type { Connection } from "../options.ts";
import { isJsonObject } from "../../kit/json-values.ts";
import { describeOfResult, refuseOfUser } from "../../kit/media.ts";
import { ownData } from "../../kit/own-data.ts";
import type { Warn } from "../../kit/turns.ts";

/** An assistant message in a request. It may have fields that only some servers support, such as `reasoning_content`. */
interface WireAssistantMessage {
  role: "assistant";
  content: string | null;
  refusal?: string;
  name?: string;
  tool_calls?: ChatCompletionMessageFunctionToolCall[];
}

interface WireToolMessage extends ChatCompletionToolMessageParam {
  content: string;
}

type WireMessage =
  | (ChatCompletionSystemMessageParam & { content: string })
  | ChatCompletionUserMessageParam
  | WireAssistantMessage
  | WireToolMessage;

/** A translated history, and what could not be sent as requested. */
export interface WireMessages {
  readonly messages: WireMessage[];
  readonly warnings: string[];
}

/** The target of a history. */
export interface ChatTarget extends Pick<Connection, "provider" | "modelId" | "host" | "isOpenAI"> {
  /** Whether the history is exported, not sent to a server: names and ids stay unchanged, and agents are named. */
  readonly isExport?: boolean;
}

/** Translates a history into Chat Completions messages, instructions first. What was translated for an earlier turn is reused. */
export function chatMessages(
  instructions: string | undefined,
  history: readonly Message[],
  target: ChatTarget,
): WireMessages {
  const progress = progressFor(target);
  const earlier = progress.checkout(history);
  const { state = { messages: [], warnings: [], images: [], system: undefined } } = earlier ?? {};
  for (const message of history.slice(earlier?.items.length)) addMessage(message, history, state, target);
  if (state.system?.content !== (instructions || undefined))
    state.system = instructions ? { role: "system", content: instructions } : undefined;
  progress.store(history, state, earlier);
  const { system, images } = state;
  const beginning: WireMessage[] = system ? [system] : [];
  const messages = beginning.concat(state.messages);
  if (images.length > 0) messages.push({ role: "user", content: [...images] });
  return { messages, warnings: [...state.warnings] };
}

/** The part of a history that is translated so far. */
interface Translation extends WireMessages {
  /** The instructions, as the same object until they change. */
  system: (ChatCompletionSystemMessageParam & { content: string }) | undefined;
  /** Images of tool results. They follow the batch, since a tool message contains only text. */
  images: ChatCompletionContentPart[];
}

function addMessage(
  message: Message,
  history: readonly Message[],
  wire: Translation,
  target: ChatTarget,
): void {
  if (message.role !== "tool" && wire.images.length > 0) {
    wire.messages.push({ role: "user", content: wire.images });
    wire.images = [];
  }
  if (message.role === "system") wire.messages.push({ role: "system", content: message.content });
  else if (message.role === "user")
    wire.messages.push({ role: "user", content: userContent(message, history, wire, target) });
  else if (message.role === "assistant") {
    const answer = assistantMessage(message, target);
    if (answer) wire.messages.push(answer);
  } else {
    wire.messages.push(toolMessage(message.result, target));
    if (message.result.content.some(isMedia)) wire.images.push(...mediaContent(message.result, target, wire));
  }
}

function userContent(
  message: UserMessage,
  history: readonly Message[],
  wire: WireMessages,
  target: ChatTarget,
): string | ChatCompletionContentPart[] {
  const { content } = message;
  if (typeof content === "string") return content;
  assertParts(content, "a user's message");
  const [first] = content;
  if (content.length === 1 && first?.type === "text") return first.text;
  const warn: Warn = (warning) => void wire.warnings.push(warning);
  const refuse = target.isExport
    ? describeOfResult(api, warn)
    : refuseOfUser(target, api, { message, history, warn });
  const parts = content.flatMap((part) => contentPart(part, target, refuse));
  // The API refuses an empty list.
  return parts.length === 0 ? "" : parts;
}

/** As warnings name the protocol. */
const api = "Chat Completions";

const progressByTarget = new WeakMap<ChatTarget, PrefixCache<Message, Translation>>();

/** The histories translated for a target so far. Every turn sends the history again, but only new messages are translated. */
function progressFor(target: ChatTarget): PrefixCache<Message, Translation> {
  const progress = progressByTarget.get(target) ?? historyProgress<Translation>();
  progressByTarget.set(target, progress);
  return progress;
}

/** `undefined` for an answer that has nothing to send to this target. */
function assistantMessage(message: AssistantMessage, target: ChatTarget): WireMessage | undefined {
  assertAssistantParts(message.content);
  let text = "";
  let refusal = "";
  const own = ownFields(message, target.provider);
  const calls = new Map(message.toolCalls.map((call) => [call.toolCallId, call]));
  const toolCalls: ChatCompletionMessageFunctionToolCall[] = [];
  for (const part of message.content) {
    if (part.type === "text") {
      if (ownData(part.providerData, target.provider)?.["refusal"] === true) refusal += part.text;
      else text += part.text;
    }
    const call = part.type === "tool-call" ? calls.get(part.toolCallId) : undefined;
    if (call && part.type === "tool-call") {
      calls.delete(part.toolCallId);
      const extra = ownData(part.providerData, target.provider)?.["extra_content"];
      toolCalls.push({ ...wireCall(call, target), ...(extra !== undefined && { extra_content: extra }) });
    }
  }
  // Calls that the content does not refer to, as in hand-written histories.
  for (const call of calls.values()) toolCalls.push(wireCall(call, target));
  if (!text && !refusal && toolCalls.length === 0) return undefined;
  return {
    role: "assistant",
    content: text || null,
    ...(refusal && { refusal }),
    ...(target.isExport && message.agent !== undefined && { name: message.agent }),
    ...own,
    ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
  };
}

function wireCall(call: ToolCall, target: ChatTarget): ChatCompletionMessageFunctionToolCall {
  return {
    id: wireCallId(call.toolCallId, target),
    type: "function",
    function: {
      name: target.isExport ? call.toolName : wireName(call.toolName),
      arguments: wireArguments(call.arguments, target),
    },
  };
}

/** OpenAI accepts ids of up to 40 characters, Mistral exactly nine letters and digits. */
function wireCallId(id: string, { host, isExport }: ChatTarget): string {
  if (isExport) return id;
  if (host.endsWith("mistral.ai")) return /^[a-zA-Z0-9]{9}$/.test(id) ? id : digest(id).slice(-9);
  return id.length > 0 && id.length <= 40 ? id : wireName(id, 40);
}

/** Servers with their own prompt templates parse arguments, and refuse a history in which they are not JSON. */
function wireArguments(text: string, { isOpenAI, isExport }: ChatTarget): string {
  if (isExport) return text;
  if (text.trim() === "") return "{}";
  const json = wellFormedJson(text);
  if (isOpenAI) return json;
  try {
    JSON.parse(json);
    return json;
  } catch {
    return JSON.stringify({ invalid_json: json });
  }
}

function toolMessage(result: ToolResult, target: ChatTarget): WireToolMessage {
  assertParts(result.content, `a result of ${result.toolName}`);
  let text: string | undefined;
  for (const part of result.content)
    if (part.type === "text") text = text === undefined ? part.text : `${text}\n${part.text}`;
  const isElsewhere = !text && result.content.some(isMedia);
  const content = isElsewhere ? "(The content follows in the next user message.)" : (text ?? "");
  return { role: "tool", tool_call_id: wireCallId(result.toolCallId, target), content };
}

/** The content of a result other than text, after a line that names the call. */
function mediaContent(
  result: ToolResult,
  target: ChatTarget,
  wire: WireMessages,
): ChatCompletionContentPart[] {
  const label = `Content that ${result.toolName} (call ${wireCallId(result.toolCallId, target)}) returned:`;
  const refuse = describeOfResult(api, (warning) => void wire.warnings.push(warning));
  const others = result.content.filter(isMedia).flatMap((part) => contentPart(part, target, refuse));
  return [{ type: "text", text: label }, ...others];
}

function isMedia({ type }: Part): boolean {
  return type === "image" || type === "file";
}

/** The fields that send the server's reasoning back, under the names under which the server sent it. */
function ownFields(message: AssistantMessage, provider: string): Record<string, JsonValue> {
  const fields: Record<string, JsonValue> = {};
  if (!message.content.some(isOwn)) return fields;
  const thinking: JsonValue[] = [];
  for (const part of message.content) {
    if (part.type === "provider") {
      const details = ownData(part.providerData, provider)?.["reasoning_details"];
      if (details !== undefined) fields["reasoning_details"] = details;
    }
    if (part.type === "text") thinking.push({ type: "text", text: part.text });
    if (part.type !== "reasoning") continue;
    const field = ownData(part.providerData, provider)?.["field"];
    if (field === "content")
      thinking.push({ type: "thinking", thinking: [{ type: "text", text: part.text }] });
    else if (field === "reasoning_content" || field === "reasoning") {
      const before = fields[field];
      fields[field] = (typeof before === "string" ? before : "") + part.text;
    }
  }
  const hasThinking = thinking.some((part) => isJsonObject(part) && part["type"] === "thinking");
  return hasThinking ? { ...fields, content: thinking } : fields;
}

function isOwn({ type }: AssistantPart): boolean {
  return type === "reasoning" || type === "provider";
}

import type { AssistantMessage, Message, ToolCall, ToolResult, UserMessage } from "../../message/messages.ts";
import type { AssistantPart, ProviderData } from "../../message/parts.ts";
import { repairHistory } from "../../message/repair-history.ts";
import { assertAssistantParts } from "../../model/assert-parts.ts";
import { wireName } from "../../model/wire-names.ts";
import type { JsonObject } from "../../base/util/json.ts";
import { containerType } from "./container.ts";
import { describePart } from "../kit/data-url.ts";
import { describeOfResult, type MediaTarget, refuseOfUser } from "../kit/media.ts";
import { parseCallArguments, isJsonObject, stringIn } from "../kit/json-values.ts";
import { ownData } from "../kit/own-data.ts";
import { splitSystem } from "../kit/split-system.ts";
import type { ToolNames } from "../kit/tool-names.ts";
import { turnTranslator, type Warn } from "../kit/turns.ts";
import { wireId } from "./names.ts";
import { type InputBlock, inputBlocks, textBlocks } from "./request-parts.ts";
import { type RequestBlock, type RequestMessage, type ToolResultBlock, typedObject } from "./wire.ts";

/** A history in the form of the Messages API. */
export interface RequestHistory {
  /** The text of `system`: the instructions, then the history's leading system messages. */
  readonly system: string | undefined;
  /** The roles alternate, starting with `user`. */
  readonly messages: readonly RequestMessage[];
}

/** What the translation of a history depends on. */
export interface HistoryContext extends MediaTarget {
  /** Parts with data that this provider wrote are sent back unchanged. */
  readonly provider: string;
  readonly names: ToolNames;
  /** Whether the conversation may end with the start of the model's answer. */
  readonly allowsPrefill: boolean;
  readonly warn: Warn;
}

/** As warnings name it. */
const api = "The Messages API";

/** The text of the user message that is added where the API requires one and the history has none. */
const placeholder = "Continue.";

/**
 * Repairs and translates a history. Empty texts are left out, since the API refuses them. A system message after other
 * messages becomes user text in `<system>` tags, since only some models accept the role there. Reasoning and server-side
 * tools of other providers are left out.
 */
export function requestHistory(
  instructions: string | undefined,
  history: readonly Message[],
  context: HistoryContext,
): RequestHistory {
  const { system, messages } = splitSystem(instructions, repairHistory(history));
  return { system, messages: complete(turnsOf(messages, context), context.allowsPrefill) };
}

const translator = turnTranslator<RequestMessage>();

/** The messages, with consecutive messages of one role merged. */
function turnsOf(history: readonly Message[], context: HistoryContext): readonly RequestMessage[] {
  const { provider, warn } = context;
  return translator.translate(
    provider,
    history,
    (turns, message, warn) => {
      const { role, content } = translate(message, history, { ...context, warn });
      const last = turns.at(-1);
      if (content.length === 0) return;
      // A new object: the serialization of a turn is cached by its object.
      if (last?.role === role) turns[turns.length - 1] = { role, content: [...last.content, ...content] };
      else turns.push({ role, content });
    },
    // A name that must be replaced depends on the request's other names, so its message is not final.
    { warn, isFinal: (message) => message.role !== "assistant" || message.toolCalls.every(isPlain) },
  );
}

function isPlain({ toolName }: ToolCall): boolean {
  return wireName(toolName) === toolName;
}

function translate(message: Message, history: readonly Message[], context: HistoryContext): RequestMessage {
  switch (message.role) {
    case "system":
      return { role: "user", content: textBlocks(message.content).map(asSystem) };
    case "user":
      return { role: "user", content: userBlocks(message, history, context) };
    case "assistant":
      return { role: "assistant", content: assistantBlocks(message, context) };
    case "tool":
      return { role: "user", content: [toolResultBlock(message.result, context)] };
  }
}

function asSystem({ text }: { readonly text: string }): InputBlock {
  return { type: "text", text: `<system>\n${text}\n</system>` };
}

function userBlocks(
  message: UserMessage,
  history: readonly Message[],
  context: HistoryContext,
): InputBlock[] {
  const { content } = message;
  if (typeof content === "string") return textBlocks(content);
  const refuse = refuseOfUser(context, api, { message, history, warn: context.warn });
  return inputBlocks(content, "a user's message", context, refuse);
}

function toolResultBlock(result: ToolResult, context: HistoryContext): ToolResultBlock {
  const refuse = describeOfResult(api, context.warn);
  const blocks = inputBlocks(result.content, `a result of ${result.toolName}`, context, refuse);
  // The API refuses an error result without content.
  const content = blocks.length === 0 && result.isError ? textBlocks("The tool failed.") : blocks;
  return {
    type: "tool_result",
    tool_use_id: wireId(result.toolCallId),
    ...(content.length > 0 && { content }),
    ...(result.isError && { is_error: true }),
  };
}

function assistantBlocks(message: AssistantMessage, context: HistoryContext): RequestBlock[] {
  assertAssistantParts(message.content);
  const calls = new Map(message.toolCalls.map((call) => [call.toolCallId, call]));
  const blocks = message.content.flatMap((part): RequestBlock[] => {
    if (part.type !== "tool-call") return assistantBlock(part, context);
    const call = calls.get(part.toolCallId);
    if (!call) return [];
    calls.delete(part.toolCallId);
    return [toolUseBlock(call, part.providerData, context)];
  });
  // Calls that the content does not refer to, as in hand-written histories.
  const unplaced = [...calls.values()].map((call) => toolUseBlock(call, undefined, context));
  const all = [...blocks, ...unplaced];
  // The API refuses an answer that ends with thinking.
  while (isThinking(all.at(-1))) all.pop();
  return all;
}

function isThinking(block: RequestBlock | undefined): boolean {
  return block?.type === "thinking" || block?.type === "redacted_thinking";
}

function assistantBlock(
  part: Exclude<AssistantPart, { type: "tool-call" }>,
  context: HistoryContext,
): RequestBlock[] {
  const own = "providerData" in part ? ownData(part.providerData, context.provider) : undefined;
  switch (part.type) {
    case "text":
      return textBlocks(part.text).map((block): RequestBlock => ({ ...block, ...citationsOf(own) }));
    case "reasoning":
      return thinkingBlock(part.text, own);
    case "provider": {
      const block = typedObject(own);
      return block && block.type !== containerType ? [block] : [];
    }
    case "image":
    case "file":
      context.warn(
        `The Messages API does not accept the ${describePart(part)} in an assistant message: it is left out.`,
      );
      return [];
  }
}

/** Thinking, unchanged. Without a signature it is left out, since the API would refuse it. */
function thinkingBlock(text: string, own: JsonObject | undefined): RequestBlock[] {
  const block = typedObject(own);
  if (block?.type === "redacted_thinking") return [block];
  if (block?.type !== "thinking" || stringIn(block, "signature") === undefined) return [];
  const { type, signature, ...rest } = block;
  return [{ type, thinking: text, signature, ...rest }];
}

function citationsOf(own: JsonObject | undefined): JsonObject {
  const citations = own?.["citations"];
  if (!Array.isArray(citations)) return {};
  // The API sends the id of a file, but refuses it in a request.
  return {
    citations: citations.map((citation) => (isJsonObject(citation) ? withoutFileId(citation) : citation)),
  };
}

function withoutFileId({ file_id: _, ...citation }: JsonObject): JsonObject {
  return citation;
}

function toolUseBlock(
  call: ToolCall,
  providerData: ProviderData | undefined,
  { provider, names }: HistoryContext,
): RequestBlock {
  return {
    type: "tool_use",
    id: wireId(call.toolCallId),
    name: names.toWire(call.toolName),
    input: parseCallArguments(call.arguments),
    ...ownData(providerData, provider),
  };
}

/** Completes the conversation: it must start with the user and end as the model allows. */
function complete(turns: readonly RequestMessage[], allowsPrefill: boolean): readonly RequestMessage[] {
  const user: RequestMessage = { role: "user", content: [{ type: "text", text: placeholder }] };
  const fromUser = turns[0]?.role === "user" ? turns : [user, ...turns];
  const last = fromUser.at(-1);
  // An answer that the provider paused during its own tools' work is sent back unchanged, to be continued.
  if (last?.role !== "assistant" || last.content.some(isServerSide)) return fromUser;
  return allowsPrefill ? [...fromUser.slice(0, -1), trimEnd(last)].filter(hasContent) : [...fromUser, user];
}

const plainTypes: ReadonlySet<string> = new Set(["text", "thinking", "redacted_thinking", "tool_use"]);

function isServerSide(block: RequestBlock): boolean {
  return !plainTypes.has(block.type);
}

/** Removes white space at the end of a text that the model must continue: the API refuses it. */
function trimEnd({ role, content }: RequestMessage): RequestMessage {
  const last = content.at(-1);
  if (last?.type !== "text" || !("text" in last) || typeof last.text !== "string") return { role, content };
  return { role, content: [...content.slice(0, -1), { ...last, text: last.text.trimEnd() }] };
}

function hasContent({ content }: RequestMessage): boolean {
  return content.length > 0;
}

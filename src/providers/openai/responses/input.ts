import { wellFormedJson } from "../../../base/util/well-formed-json.ts";
import type {
  EasyInputMessage,
  ResponseFunctionCallOutputItem,
  ResponseInputItem,
} from "openai/resources/responses/responses";
import { historyProgress } from "../../../message/history-progress.ts";
import type {
  AssistantMessage,
  Message,
  ToolCall,
  ToolResult,
  UserMessage,
} from "../../../message/messages.ts";
import type { AssistantPart, TextPart } from "../../../message/parts.ts";
import { assertAssistantParts, assertParts } from "../../../model/assert-parts.ts";
import { wireName } from "../../../model/wire-names.ts";
import type { PrefixCache } from "../../../base/util/prefix-cache.ts";
import type { JsonObject, JsonValue } from "../../../base/util/json.ts";
import { describeOfResult, refuseOfUser } from "../../kit/media.ts";
import type { PartTarget } from "../media.ts";
import { contentPart } from "./content-parts.ts";
import { asText, isJsonObject } from "../../kit/json-values.ts";

/** An input item: a translated one, or one that the server wrote and gets back unchanged. */
export type InputItem = ResponseInputItem | CallOutput | JsonObject;

type CallOutput = Omit<ResponseInputItem.FunctionCallOutput, "caller"> & { readonly caller?: JsonObject };

/** A translated history, and what could not be sent as it is. */
export interface WireInput {
  readonly items: InputItem[];
  readonly warnings: readonly string[];
}

/** The target of a history. */
export interface InputTarget extends PartTarget {
  /** Whether the server stores its reasoning items, which then need no content. */
  readonly isStored: boolean;
}

/** The part of a history that is translated so far. */
interface Translation {
  readonly items: InputItem[];
  /** By call id: the reference to the server's program that made the call. */
  readonly callers: Map<string, JsonValue>;
  /** What could not be sent as it is. */
  readonly warnings: string[];
}

/** As warnings name it. */
const api = "The Responses API";

/** The histories translated so far, by target. */
const progressByTarget = new Map<string, PrefixCache<Message, Translation>>();

/** Translates a history into input items of the Responses API. What was translated for an earlier turn is reused. */
export function inputItems(history: readonly Message[], target: InputTarget): WireInput {
  const key = `${target.isStored ? "stored" : "stateless"} ${target.isOpenAI} ${target.provider}`;
  const progress = progressByTarget.get(key) ?? historyProgress<Translation>();
  progressByTarget.set(key, progress);
  const earlier = progress.checkout(history);
  const state: Translation = earlier?.state ?? {
    items: [],
    callers: new Map<string, JsonValue>(),
    warnings: [],
  };
  for (const message of history.slice(earlier?.items.length))
    state.items.push(...itemsOf(message, history, target, state));
  progress.store(history, state, earlier);
  return { items: [...state.items], warnings: [...state.warnings] };
}

function itemsOf(
  message: Message,
  history: readonly Message[],
  target: InputTarget,
  state: Translation,
): InputItem[] {
  if (message.role === "system") return [{ role: "system", content: message.content }];
  if (message.role === "user")
    return [{ role: "user", content: userContent(message, history, target, state) }];
  if (message.role === "tool") return [toolOutput(message.result, target, state)];
  return assistantItems(message, target, state.callers);
}

function userContent(
  message: UserMessage,
  history: readonly Message[],
  target: InputTarget,
  { warnings }: Translation,
): EasyInputMessage["content"] {
  const { content } = message;
  if (typeof content === "string") return content;
  assertParts(content, "a user's message");
  const refuse = refuseOfUser(target, api, { message, history, warn: (text) => void warnings.push(text) });
  const parts = content.flatMap((part) => contentPart(part, target, refuse));
  // The API refuses an empty list.
  return parts.length === 0 ? "" : parts;
}

function toolOutput(
  result: ToolResult,
  target: InputTarget,
  { callers, warnings }: Pick<Translation, "callers" | "warnings">,
): InputItem {
  assertParts(result.content, `a result of ${result.toolName}`);
  const refuse = describeOfResult(api, (warning) => void warnings.push(warning));
  const isText = result.content.every((part) => part.type === "text" || part.type === "reasoning");
  const texts = result.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const output: string | ResponseFunctionCallOutputItem[] = isText
    ? texts.join("\n")
    : result.content.flatMap((part) => contentPart(part, target, refuse));
  const caller = callers.get(result.toolCallId);
  return {
    type: "function_call_output",
    call_id: wireName(result.toolCallId),
    output,
    // The result of a call by a program of the server must refer to that program, as the call does.
    ...(isJsonObject(caller) && { caller }),
  };
}

function assistantItems(
  message: AssistantMessage,
  target: InputTarget,
  callers: Map<string, JsonValue>,
): InputItem[] {
  assertAssistantParts(message.content);
  const items: InputItem[] = [];
  const calls = new Map(message.toolCalls.map((call) => [call.toolCallId, call]));
  const own = message.content.map((part) => ownItem(part, target.provider));
  // The API refuses an item without the reasoning that led to it. Its content is then sent as a new item.
  const isWhole = own.every((item) => !item || isReplayable(item, target));
  /** The server's message to which content parts are added. */
  let ownMessage: { readonly id: JsonValue | undefined; readonly content: JsonValue[] } | undefined;
  /** The message to which texts that the server did not write are added. */
  let newMessage: { readonly role: "assistant"; content: string } | undefined;
  for (const [index, part] of message.content.entries()) {
    const item = isWhole || part.type === "provider" || part.type === "image" ? own[index] : undefined;
    if (part.type === "text") {
      const content = wireText(part, target.provider);
      if (!item || !content) {
        ownMessage = undefined;
        if (newMessage) newMessage.content += part.text;
        else if (part.text !== "") items.push((newMessage = { role: "assistant", content: part.text }));
      } else if (ownMessage && ownMessage.id === item["id"]) ownMessage.content.push(content);
      else {
        newMessage = undefined;
        ownMessage = { id: item["id"], content: [content] };
        items.push({ ...item, content: ownMessage.content });
      }
      continue;
    }
    ownMessage = undefined;
    newMessage = undefined;
    const call = part.type === "tool-call" ? calls.get(part.toolCallId) : undefined;
    if (call) {
      calls.delete(call.toolCallId);
      if (item?.["caller"] !== undefined) callers.set(call.toolCallId, item["caller"]);
      items.push(functionCall(call, item));
    } else if (item && part.type === "image")
      items.push({ ...item, result: part.url.slice(part.url.indexOf(",") + 1) });
    else if (item && part.type !== "tool-call") items.push(item);
  }
  // Calls that the content does not refer to, as in hand-written histories.
  for (const call of calls.values()) items.push(functionCall(call, undefined));
  // The API refuses an answer that ends with reasoning.
  while (items.at(-1)?.type === "reasoning") items.pop();
  return items;
}

function functionCall(call: ToolCall, item: JsonObject | undefined): InputItem {
  return {
    ...item,
    type: "function_call",
    call_id: wireName(call.toolCallId),
    name: wireName(call.toolName),
    arguments: wellFormedJson(call.arguments || "{}"),
  };
}

/** A server that stores nothing needs the content of a reasoning item, and refuses an item without it. */
function isReplayable(item: JsonObject, target: InputTarget): boolean {
  if (item["type"] !== "reasoning" || target.isStored) return true;
  const content = item["content"];
  return asText(item["encrypted_content"]) !== "" || (Array.isArray(content) && content.length > 0);
}

/** The server's item that a part came from. The content of messages and calls is in the part itself. */
function ownItem(part: AssistantPart, provider: string): JsonObject | undefined {
  if (!("providerData" in part) || part.providerData?.provider !== provider) return undefined;
  const { data } = part.providerData;
  return isJsonObject(data) && isJsonObject(data["item"]) ? data["item"] : undefined;
}

function wireText(part: TextPart, provider: string): JsonObject | undefined {
  const data = part.providerData?.provider === provider ? part.providerData.data : undefined;
  if (!isJsonObject(data) || !isJsonObject(data["content"])) return undefined;
  const content = data["content"];
  return content["type"] === "refusal" ? { ...content, refusal: part.text } : { ...content, text: part.text };
}

import type { AssistantPart, ProviderData } from "../../../message/parts.ts";
import type { JsonObject } from "../../../base/util/json.ts";
import { asObjects, asText } from "../../kit/json-values.ts";

/** An output item that is being received. */
export interface ItemSlot {
  /** The item as the server last sent it; complete once it is done. */
  item: JsonObject;
  /** What tells it apart from the other items of the answer. */
  readonly key: number;
  /** Its place in the output, if an event said so. */
  readonly index: number | undefined;
  /** The id of its call, as the server sent it last; empty if there is none. */
  callId: string;
  /** The text of each content part that has been emitted, by index. */
  readonly texts: Map<number, string>;
  /** The reasoning that has been emitted. */
  reasoning: string;
  /** The call's id in the history, once the call has started. */
  toolCallId: string | undefined;
  /** Arguments that came before the call's name. Once the call has started, the builder has all arguments. */
  early: string;
  /** Whether the complete item has come. */
  isDone: boolean;
}

/** Translates an item into message parts, with the data that its provider requires again. */
export function partsOf(slot: ItemSlot, provider: string): AssistantPart[] {
  const { item } = slot;
  const own = (data: JsonObject): ProviderData => ({ provider, data });
  if (item["type"] === "function_call") {
    if (slot.toolCallId === undefined) return [];
    const rest = without(item, "arguments", "call_id", "name");
    return [{ type: "tool-call", toolCallId: slot.toolCallId, providerData: own({ item: rest }) }];
  }
  if (item["type"] === "reasoning") {
    return [{ type: "reasoning", text: slot.reasoning, providerData: own({ item }) }];
  }
  const image = item["type"] === "image_generation_call" ? asText(item["result"]) : "";
  if (image !== "") {
    const url = `data:image/${asText(item["output_format"]) || "png"};base64,${image}`;
    return [{ type: "image", url, providerData: own({ item: without(item, "result") }) }];
  }
  const contents = item["type"] === "message" ? asObjects(item["content"]) : [];
  if (contents.length === 0 && slot.texts.size === 0) {
    return item["type"] === undefined ? [] : [{ type: "provider", providerData: own({ item }) }];
  }
  if (contents.length === 0) return [...slot.texts.values()].map((text) => ({ type: "text", text }));
  const message = without(item, "content");
  return contents.map((content, index) => ({
    type: "text",
    text: slot.texts.get(index) ?? textOf(content),
    providerData: own({ item: message, content: without(content, "text", "refusal", "logprobs") }),
  }));
}

function without(value: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

/** The text of a content part, which is an answer or a refusal. */
export function textOf(content: JsonObject): string {
  return asText(content["text"]) || asText(content["refusal"]);
}

/** The reasoning of a finished item: its summary, else the reasoning itself, which open models return. */
export function reasoningOf(item: JsonObject): string {
  const pieces = asObjects(item["summary"]);
  return (pieces.length > 0 ? pieces : asObjects(item["content"]))
    .map((piece) => asText(piece["text"]))
    .join("\n\n");
}

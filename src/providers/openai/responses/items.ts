import type { AssistantPart, ProviderData } from "../../../message/parts.ts";
import type { JsonObject } from "../../../base/util/json.ts";
import { canonicalJson } from "../../../base/util/canonical-json.ts";
import { canonicalArguments, compareArguments } from "../../kit/compare-arguments.ts";
import { asObjects, asText, isJsonObject } from "../../kit/json-values.ts";

/** An output item that is being received. */
export interface ItemSlot {
  /** The item as the server last sent it; complete once it is done. */
  item: JsonObject;
  /** What tells it apart from the other items of the answer. */
  readonly key: number;
  /** Its place in the output, if an event said so. */
  readonly index: number | undefined;
  /** Its own id, as the server sent it last; empty if there is none. */
  itemId: string;
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

/** The arguments that an item states; empty if it states none. */
export function statedInput(item: JsonObject): string {
  const stated = item["arguments"];
  return isJsonObject(stated) ? JSON.stringify(stated) : asText(stated);
}

/** Whether an item states the arguments that have come for it: `undefined` if one of them is not there, or only its beginning has come. */
export function compareInput(input: string, item: JsonObject): "same" | "other" | undefined {
  const stated = statedInput(item);
  if (stated === "" || (input !== stated && stated.startsWith(input))) return undefined;
  return compareArguments(input, stated) ?? "other";
}

/** What items of the provider's own tools wait for, by their types: nobody here can give it. */
const ownRequests: Readonly<Record<string, string>> = {
  mcp_approval_request: "an approval for a tool of its own",
  custom_tool_call: "the result of a custom tool",
  computer_call: "the result of an action on a computer",
};

/** What to say of items that wait for something: the answer ends with them. */
export function requestWarnings(slots: readonly ItemSlot[], provider: string): string[] {
  return slots.flatMap(({ item }) => {
    const type = asText(item["type"]);
    const wanted = Object.hasOwn(ownRequests, type) ? ownRequests[type] : undefined;
    if (wanted === undefined) return [];
    const remedy = type === "mcp_approval_request" ? ' Set require_approval: "never" for it.' : "";
    return `${provider} requests ${wanted}, which Skein does not support.${remedy}`;
  });
}

/** A call of an answer: its id, its tool and its arguments. */
export type AnsweredCall = readonly [callId: string, toolName: string, input: string];

/** Whether two lists have the same calls, in any order and with other ids. */
export function isSameCalls(one: readonly AnsweredCall[], other: readonly AnsweredCall[]): boolean {
  return canonicalJson(countCalls(one)) === canonicalJson(countCalls(other));
}

/** A text that is the same for the same items: of calls, the tool and the arguments. */
export function contentOf(item: JsonObject, input: string): string {
  if (item["type"] !== "function_call") return asText(item["type"]);
  const stated = statedInput(item) || input;
  return JSON.stringify([asText(item["name"]), canonicalArguments(stated) ?? stated]);
}

/** How often each tool is called with the same arguments. What is sent again under one id counts once. */
function countCalls(calls: readonly AnsweredCall[]): Map<string, number> {
  const counts = new Map<string, number>();
  const counted = new Set<string>();
  for (const [callId, toolName, input] of calls) {
    const call = JSON.stringify([toolName, canonicalArguments(input) ?? input]);
    const named = `${callId} ${call}`;
    if (callId !== "" && counted.has(named)) continue;
    counted.add(named);
    counts.set(call, (counts.get(call) ?? 0) + 1);
  }
  return new Map([...counts].toSorted(([left], [right]) => (left < right ? -1 : 1)));
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

/**
 * Whether the parts of a finished message have the text that has come for them. A part whose text did not come before has it now, and a server may have
 * counted its parts otherwise while it sent them.
 */
export function isSameText(slot: ItemSlot, stated: readonly string[]): boolean {
  const whole = stated.join("");
  if (whole === "" || [...slot.texts].every(([index, text]) => stated[index] === text)) return true;
  return textIn(slot) === whole;
}

/** The text that has come for an item, in the order of its parts. */
export function textIn({ texts }: ItemSlot): string {
  const pieces = [...texts].toSorted(([left], [right]) => left - right);
  return pieces.map(([, text]) => text).join("");
}

/** The text of a finished message; that of no other item. */
export function statedText(item: JsonObject): string {
  return item["type"] === "message" ? asObjects(item["content"]).map(textOf).join("") : "";
}

/** The reasoning of a finished item: its summary, else the reasoning itself, which open models return. */
export function reasoningOf(item: JsonObject): string {
  const pieces = asObjects(item["summary"]);
  return (pieces.length > 0 ? pieces : asObjects(item["content"]))
    .map((piece) => asText(piece["text"]))
    .join("\n\n");
}

/** The type of an item, or the expected one as long as it is not known. */
export function typeOf({ item }: ItemSlot, expected: unknown): unknown {
  return item["type"] ?? expected;
}

/** Whether a listed item may be one that has come under other ids: of the same type, and for calls of the same tool. */
export function isLike(slot: ItemSlot, item: JsonObject): boolean {
  if (typeOf(slot, item["type"]) !== item["type"]) return false;
  return item["type"] !== "function_call" || (slot.item["name"] ?? item["name"]) === item["name"];
}

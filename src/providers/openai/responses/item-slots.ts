import type { JsonObject } from "../../../base/util/json.ts";
import { asIndex, asText } from "../../kit/json-values.ts";
import type { ItemSlot } from "./items.ts";

/**
 * The items of one answer. Servers number their output from 0 or from 1 or not at all, and give an item another id in each event: an
 * item is the same if its place, its call's id or its own id says so, or if there is only one that it can be.
 */
export class ItemSlots {
  readonly #slots: ItemSlot[] = [];
  readonly #byIndex = new Map<number, ItemSlot>();
  readonly #byItemId = new Map<string, ItemSlot>();
  readonly #byCallId = new Map<string, ItemSlot>();

  /** How many items have begun. */
  get size(): number {
    return this.#slots.length;
  }

  /** The items in the order of the output, not of their events. */
  get inOrder(): readonly ItemSlot[] {
    const place = ({ index = Number.POSITIVE_INFINITY }: ItemSlot): number => index;
    return this.#slots.toSorted((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)));
  }

  /** The item that a piece of this type belongs to; `undefined` if it may belong to several. */
  ofPiece(event: JsonObject, type: string): ItemSlot | undefined {
    const index = asIndex(event["output_index"]);
    const itemId = asText(event["item_id"]);
    const named = (index === undefined ? undefined : this.#byIndex.get(index)) ?? this.#byItemId.get(itemId);
    if (named) return named;
    if (index !== undefined) return this.#open({ index, itemId });
    const candidates = this.#slots.filter((slot) => !slot.isDone && typeOf(slot, type) === type);
    if (candidates.length > 1) return undefined;
    return candidates[0] ?? (itemId === "" && this.#hasCall(type) ? undefined : this.#open({ itemId }));
  }

  /** The item that begins with an event. */
  ofStart(event: JsonObject, item: JsonObject): ItemSlot {
    const index = asIndex(event["output_index"]);
    const slot = this.#atIndex(index, item) ?? this.#withId(asText(item["id"]), item);
    // One that is over is another item, whatever its id.
    return this.#note(slot && !slot.isDone ? slot : this.#open({ index }), item);
  }

  /** The item that an event completes. */
  ofEnd(event: JsonObject, item: JsonObject): ItemSlot {
    const index = asIndex(event["output_index"]);
    const slot =
      this.#atIndex(index, item) ??
      this.#withCallId(item) ??
      this.#withId(asText(item["id"]), item) ??
      this.#onlyOpen(item);
    return this.#note(slot ?? this.#open({ index }), item);
  }

  /** The items that the end of the answer lists, each with its slot. */
  ofOutput(items: readonly JsonObject[]): readonly (readonly [JsonObject, ItemSlot])[] {
    const listed = new Set<ItemSlot>();
    const free = (slot: ItemSlot | undefined): ItemSlot | undefined =>
      slot && !listed.has(slot) ? slot : undefined;
    const before = this.inOrder;
    return items.map((item, index) => {
      const slot =
        free(this.#withCallId(item)) ??
        free(this.#withId(asText(item["id"]), item)) ??
        free(this.#listedAt(index, item)) ??
        before.find((each) => !listed.has(each) && isLike(each, item)) ??
        this.#open({ index });
      listed.add(slot);
      return [item, this.#note(slot, item)];
    });
  }

  #hasCall(type: string): boolean {
    return type === "function_call" && this.#slots.length > 0;
  }

  /** The item at a place, unless it is certainly another one. */
  #atIndex(index: number | undefined, item: JsonObject): ItemSlot | undefined {
    const slot = index === undefined ? undefined : this.#byIndex.get(index);
    if (!slot || typeOf(slot, item["type"]) !== item["type"]) return undefined;
    const callId = asText(item["call_id"]);
    const isOther = callId !== "" && slot.callId !== "" && slot.callId !== callId;
    return isOther && (slot.isDone || slot.item["name"] !== item["name"]) ? undefined : slot;
  }

  /** The item at a place in the list of the end, if it is like the listed one. */
  #listedAt(index: number, item: JsonObject): ItemSlot | undefined {
    const slot = this.#byIndex.get(index);
    return slot && isLike(slot, item) ? slot : undefined;
  }

  #withCallId(item: JsonObject): ItemSlot | undefined {
    const slot = this.#byCallId.get(asText(item["call_id"]));
    if (!slot || item["type"] !== "function_call" || slot.item["name"] !== item["name"]) return undefined;
    return !slot.isDone || isSameInput(slot, item) ? slot : undefined;
  }

  #withId(itemId: string, item: JsonObject): ItemSlot | undefined {
    const slot = this.#byItemId.get(itemId);
    return slot && typeOf(slot, item["type"]) === item["type"] ? slot : undefined;
  }

  /** The one item of that kind that is not over, if there is only one. */
  #onlyOpen(item: JsonObject): ItemSlot | undefined {
    const open = this.#slots.filter((slot) => !slot.isDone && isLike(slot, item));
    return open.length === 1 ? open[0] : undefined;
  }

  #open({ index, itemId = "" }: { readonly index?: number | undefined; readonly itemId?: string }): ItemSlot {
    const slot: ItemSlot = {
      key: this.#slots.length,
      index,
      callId: "",
      item: {},
      texts: new Map(),
      reasoning: "",
      toolCallId: undefined,
      early: "",
      isDone: false,
    };
    this.#slots.push(slot);
    if (index !== undefined) this.#byIndex.set(index, slot);
    if (itemId !== "") this.#byItemId.set(itemId, slot);
    return slot;
  }

  /** Remembers the ids of an item. */
  #note(slot: ItemSlot, item: JsonObject): ItemSlot {
    const [itemId, callId] = [asText(item["id"]), asText(item["call_id"])];
    if (itemId !== "") this.#byItemId.set(itemId, slot);
    if (callId === "") return slot;
    slot.callId = callId;
    if (this.#byCallId.get(callId)?.isDone !== false) this.#byCallId.set(callId, slot);
    return slot;
  }
}

/** The type of an item, or the expected one as long as it is not known. */
function typeOf({ item }: ItemSlot, expected: unknown): unknown {
  return item["type"] ?? expected;
}

/** Whether a listed item may be one that has come under other ids: for calls, the same tool and the same arguments. */
function isLike(slot: ItemSlot, item: JsonObject): boolean {
  if (typeOf(slot, item["type"]) !== item["type"]) return false;
  if (item["type"] !== "function_call") return true;
  const isSameName = slot.item["name"] === undefined || slot.item["name"] === item["name"];
  return isSameName && (!slot.isDone || isSameInput(slot, item));
}

function isSameInput({ item: before }: ItemSlot, item: JsonObject): boolean {
  return asText(before["arguments"]) === asText(item["arguments"]);
}

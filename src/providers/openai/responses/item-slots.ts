import type { JsonObject } from "../../../base/util/json.ts";
import { asIndex, asText } from "../../kit/json-values.ts";
import { compareInput, isLike, type ItemSlot, typeOf } from "./items.ts";
import { ListedItems } from "./listed-items.ts";

/** What an event says of the item that it is about. */
interface Names {
  readonly index: number | undefined;
  readonly itemId: string;
  readonly callId: string;
}

/**
 * The items of one answer. Servers number their output from 0 or from 1 or not at all, and give an item another id in each event: an
 * item is the same if its place, its call's id or its own id says so, or if there is only one that it can be. A name that two items
 * have at once is none. What may be either of two items is `undefined`: the pieces of two calls must not cross.
 */
export class ItemSlots {
  readonly #slots: ItemSlot[] = [];
  /** Those that were open when last looked at. */
  #unfinished: ItemSlot[] = [];
  /** The items by each of their names; `undefined` for a name of several. */
  readonly #byName = new Map<string, ItemSlot | undefined>();

  /** The arguments that have come for an item. */
  readonly #inputOf: (slot: ItemSlot) => string;

  constructor(inputOf: (slot: ItemSlot) => string) {
    this.#inputOf = inputOf;
  }

  /** How many items have begun. */
  get size(): number {
    return this.#slots.length;
  }

  /** The items in the order of the output, not of their events. */
  get inOrder(): readonly ItemSlot[] {
    const place = ({ index = Number.POSITIVE_INFINITY }: ItemSlot): number => index;
    return this.#slots.toSorted((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)));
  }

  /** The item that a piece of this type belongs to. */
  ofPiece(event: JsonObject, type: string): ItemSlot | undefined {
    const names = { index: asIndex(event["output_index"]), itemId: asText(event["item_id"]), callId: "" };
    const named = this.#named(names).filter(
      (slot) => typeOf(slot, type) === type && !isElsewhere(slot, names),
    );
    const open = named.filter((slot) => !slot.isDone);
    if (open.length > 1) return undefined;
    const slot = open[0] ?? named[0];
    // The place of one open item and the id of another: it may belong to either.
    const other = this.#byName.get(`item ${names.itemId}`);
    if (slot && other && other !== slot && !other.isDone && typeOf(other, type) === type) return undefined;
    if (slot && !(slot.isDone && isOtherItem(slot, names))) return slot;
    if (names.index !== undefined && !this.#isShared(names)) return this.#open(names);
    const candidates = this.#openSlots().filter((each) => typeOf(each, type) === type);
    if (candidates.length > 1) return undefined;
    // A piece that names nothing continues a call, if there are any.
    const isNameless = names.itemId === "" && type === "function_call" && this.#slots.length > 0;
    return candidates[0] ?? (isNameless ? undefined : this.#open(names));
  }

  /** The item that begins with an event. */
  ofStart(event: JsonObject, item: JsonObject): ItemSlot | undefined {
    const names = namesOf(event, item);
    // One that is over is another item, whatever its id.
    const open = this.#named(names).filter(
      (slot) => !slot.isDone && typeOf(slot, item["type"]) === item["type"],
    );
    const same = open.filter(
      (slot) => !isOtherItem(slot, names) && !isOtherCall(slot, names) && !isElsewhere(slot, names),
    );
    if (same.length > 1) return undefined;
    return this.#note(same[0] ?? this.#open(names), names);
  }

  /** The item that an event completes. */
  ofEnd(event: JsonObject, item: JsonObject): ItemSlot | undefined {
    const names = namesOf(event, item);
    const named = this.#named(names).filter((slot) => isLike(slot, item) && !isOver(slot, names));
    if (named.length > 1) return undefined;
    const slot = named[0] ?? this.#onlyOpen(names, item);
    // Under another id, its own id or the arguments must say that it is the same call.
    const isRenamed =
      slot && isOtherCall(slot, names) && (slot.itemId === "" || slot.itemId !== names.itemId);
    if (isRenamed && !this.#hasInput(slot, item)) return undefined;
    return this.#note(slot ?? this.#open(names), names);
  }

  /** The items that the end of the answer lists, each with its slot. */
  ofOutput(items: readonly JsonObject[]): readonly (readonly [JsonObject, ItemSlot])[] {
    const listed = new ListedItems(this.inOrder, this.#inputOf);
    return items.map((item, index) => {
      const names = namesOf({}, item);
      const slot =
        listed.match(item, this.#withCallId(names, item)) ??
        listed.match(item, this.#byName.get(`item ${names.itemId}`)) ??
        listed.done(item) ??
        listed.match(item, this.#byName.get(`index ${index}`)) ??
        listed.open(item) ??
        this.#open({ ...names, index });
      listed.add(slot);
      return [item, this.#note(slot, names)];
    });
  }

  /** The items that have one of the names. */
  #named({ index, itemId, callId }: Names): readonly ItemSlot[] {
    const keys = [`index ${index}`, `item ${itemId}`, `call ${callId}`];
    return [...new Set(keys.flatMap((key) => this.#byName.get(key) ?? []))];
  }

  /** Whether several items have the place. */
  #isShared({ index }: Names): boolean {
    const key = `index ${index}`;
    return this.#byName.has(key) && this.#byName.get(key) === undefined;
  }

  #withCallId({ callId }: Names, item: JsonObject): ItemSlot | undefined {
    const slot = this.#byName.get(`call ${callId}`);
    return slot && isLike(slot, item) ? slot : undefined;
  }

  /** The one item of that kind that is not over, if there is only one, and none of its names is another. */
  #onlyOpen(names: Names, item: JsonObject): ItemSlot | undefined {
    const open = this.#openSlots().filter((slot) => isLike(slot, item));
    const [slot] = open;
    if (!slot || open.length > 1 || isOtherItem(slot, names) || isOtherCall(slot, names)) return undefined;
    return names.index !== undefined && slot.index !== undefined && names.index !== slot.index
      ? undefined
      : slot;
  }

  /** Whether an item has the arguments that have come for it, if it is a call. */
  #hasInput(slot: ItemSlot, item: JsonObject): boolean {
    return item["type"] !== "function_call" || compareInput(this.#inputOf(slot), item) === "same";
  }

  #openSlots(): readonly ItemSlot[] {
    this.#unfinished = this.#unfinished.filter(({ isDone }) => !isDone);
    return this.#unfinished;
  }

  #open(names: Names): ItemSlot {
    const slot: ItemSlot = {
      key: this.#slots.length,
      index: names.index,
      itemId: "",
      callId: "",
      item: {},
      texts: new Map(),
      reasoning: "",
      toolCallId: undefined,
      early: "",
      isDone: false,
    };
    this.#slots.push(slot);
    this.#unfinished.push(slot);
    return this.#note(slot, names);
  }

  /** Remembers the names of an item. */
  #note(slot: ItemSlot, { index, itemId, callId }: Names): ItemSlot {
    if (index !== undefined) this.#name(`index ${index}`, slot);
    if (itemId !== "") this.#name(`item ${(slot.itemId = itemId)}`, slot);
    if (callId !== "") this.#name(`call ${(slot.callId = callId)}`, slot);
    return slot;
  }

  #name(key: string, slot: ItemSlot): void {
    const other = this.#byName.get(key);
    const isFree = !this.#byName.has(key) || other?.isDone;
    if (isFree || other === slot) this.#byName.set(key, slot);
    else this.#byName.set(key, undefined);
  }
}

function namesOf(event: JsonObject, item: JsonObject): Names {
  return {
    index: asIndex(event["output_index"]),
    itemId: asText(item["id"]),
    callId: asText(item["call_id"]),
  };
}

function isOtherItem(slot: ItemSlot, { itemId }: Names): boolean {
  return itemId !== "" && slot.itemId !== "" && itemId !== slot.itemId;
}

function isOtherCall(slot: ItemSlot, { callId }: Names): boolean {
  return callId !== "" && slot.callId !== "" && callId !== slot.callId;
}

function isElsewhere(slot: ItemSlot, { index }: Names): boolean {
  return index !== undefined && slot.index !== undefined && index !== slot.index;
}

/** Whether another call has the place or the item's id of one that is over. */
function isOver(slot: ItemSlot, names: Names): boolean {
  return slot.isDone && isOtherCall(slot, names);
}

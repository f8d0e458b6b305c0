import type { JsonObject } from "../../../base/util/json.ts";
import { compareInput, contentOf, isLike, type ItemSlot } from "./items.ts";

/** The items that have come, as the list at the end of an answer names them: each once. */
export class ListedItems {
  readonly #inputOf: (slot: ItemSlot) => string;
  readonly #listed = new Set<ItemSlot>();
  readonly #open: readonly ItemSlot[];
  /** Those that are over, the last first, by what is in them. */
  readonly #done = new Map<string, ItemSlot[]>();

  constructor(slots: readonly ItemSlot[], inputOf: (slot: ItemSlot) => string) {
    this.#inputOf = inputOf;
    this.#open = slots.filter(({ isDone }) => !isDone);
    for (const slot of slots.toReversed()) {
      if (!slot.isDone) continue;
      const content = contentOf(slot.item, inputOf(slot));
      const alike = this.#done.get(content);
      if (alike) alike.push(slot);
      else this.#done.set(content, [slot]);
    }
  }

  /** Says that an item is listed. */
  add(slot: ItemSlot): void {
    this.#listed.add(slot);
  }

  /** A slot, if it is not listed yet and an item may be the one in it. */
  match(item: JsonObject, slot: ItemSlot | undefined): ItemSlot | undefined {
    if (!slot || this.#listed.has(slot) || !isLike(slot, item)) return undefined;
    const isOther = slot.isDone && compareInput(this.#inputOf(slot), item) === "other";
    return isOther ? undefined : slot;
  }

  /** The first that is over and has just this in it. */
  done(item: JsonObject): ItemSlot | undefined {
    const alike = this.#done.get(contentOf(item, ""));
    for (let slot = alike?.at(-1); slot; slot = alike?.at(-1)) {
      if (!this.#listed.has(slot)) return slot;
      alike?.pop();
    }
    return undefined;
  }

  /** The first that is open and may be an item. */
  open(item: JsonObject): ItemSlot | undefined {
    return this.#open.find((slot) => this.match(item, slot));
  }
}

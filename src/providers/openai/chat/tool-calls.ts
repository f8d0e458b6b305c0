import type { ProviderData } from "../../../message/parts.ts";
import type { PostAnswer } from "../../../model/http.ts";
import type { ModelEvent } from "../../../model/types.ts";
import type { JsonObject } from "../../../base/util/json.ts";
import { repeatedCall } from "../../kit/answer-calls.ts";
import type { AnswerContext } from "../protocol.ts";
import { asIndex, asObject, asText, isJsonObject, wholeArguments } from "../../kit/json-values.ts";

/** A piece of a call, from one entry of `delta.tool_calls`. Missing fields are empty. */
interface Fragment {
  readonly index: number | undefined;
  /** Whether there is something else in the place of the index. */
  readonly isMisnumbered: boolean;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** Fields outside the protocol that must be sent back, such as Gemini's thought signatures. */
  readonly extra: JsonObject | undefined;
}

/** A call whose pieces are being received. */
interface Slot {
  readonly key: number;
  readonly index: number | undefined;
  id: string;
  name: string;
  /** The arguments that came before the call's id and name. Once the call is started, the builder has all arguments. */
  early: string;
  /** The last piece of the arguments that was not empty. */
  lastPiece: string;
  extra: JsonObject | undefined;
  isStarted: boolean;
  /** Whether it came after an ending. */
  readonly isLate: boolean;
  /** Whether it came in the place of another call. */
  readonly sharesIndex: boolean;
  /** Whether it is an entry of a whole answer, which states each call once. */
  readonly isWhole: boolean;
}

/**
 * Assembles calls from pieces. Servers may send several calls in a chunk, an index that is missing or reused, and an id or
 * a name that is empty, late or repeated. A call ends when the answer ends, never sooner.
 */
export class ToolCallAssembler {
  readonly #slots: Slot[] = [];
  readonly #context: AnswerContext;
  /** Whether a call began before another one had all its arguments. */
  #hasUnfinished = false;
  #hasEnded = false;
  readonly #indexes = new Set<number>();

  constructor(context: AnswerContext) {
    this.#context = context;
  }

  /** Whether no call has come. */
  get isEmpty(): boolean {
    return this.#slots.length === 0;
  }

  /** Notes that the server has said why the answer ends: some send pieces afterwards. */
  noteEnding(): void {
    this.#hasEnded = true;
  }

  /** Adds an entry of `tool_calls`, or a legacy `function_call` as `{ function }`. A whole entry is a call of its own. */
  add(entry: JsonObject, isWhole: boolean, events: ModelEvent[]): void {
    const fragment = fragmentOf(entry, this.#context.answer);
    if (!fragment.id && !fragment.name && !fragment.arguments) return;
    const match = isWhole ? undefined : this.#find(fragment);
    const slot = match && !this.#isAnotherCall(match, fragment) ? match : this.#open(fragment, isWhole);
    slot.lastPiece = fragment.arguments || slot.lastPiece;
    if (slot.isStarted) return this.#emit(slot, fragment.arguments, events);
    slot.id ||= fragment.id;
    slot.name ||= fragment.name;
    slot.extra ??= fragment.extra;
    slot.early += fragment.arguments;
    this.#startInOrder(events);
  }

  /** Ends every call, since the answer is complete. A call that never got a name has an empty one, which no tool has. */
  end(events: ModelEvent[]): void {
    for (const [index, slot] of this.#slots.entries()) {
      if (this.#isRest(slot, this.#slots[index - 1]))
        throw this.#context.answer.malformed("sent the pieces of a call as several calls.");
      if (this.#mayRepeat(slot)) throw this.#context.answer.malformed(repeatedCall);
      if (!slot.isStarted) this.#start(slot, events);
      events.push(...this.#context.calls.end(slot.key));
    }
  }

  #find(fragment: Fragment): Slot | undefined {
    const last = this.#slots.at(-1);
    if (fragment.index !== undefined) return this.#atIndex(fragment);
    const named = this.#withId(fragment);
    if (named) return named;
    const startsAnother = fragment.name !== "" && fragment.id !== "";
    if (startsAnother) return last?.id === "" ? last : undefined;
    // Whether it continues the last call, under whatever id, is certain only if no other one can go on.
    if (this.#slots.length > 1 && this.#isUncertain(fragment))
      throw this.#context.answer.malformed("sent a piece without saying of which call.");
    return last;
  }

  /** The call at an index. Of several there, the id says which; an id of a call elsewhere contradicts the index. */
  #atIndex(fragment: Fragment): Slot | undefined {
    const last = this.#slots.at(-1);
    const isAtIndex = ({ index }: Slot): boolean => index === fragment.index;
    const slot = last && isAtIndex(last) ? last : this.#slots.findLast(isAtIndex);
    if (!slot || slot.id === "" || fragment.id === "" || slot.id === fragment.id) return slot;
    const named = this.#withId(fragment);
    if (named && !isAtIndex(named))
      throw this.#context.answer.malformed("sent a piece with the index of one call and the id of another.");
    return named ?? slot;
  }

  #withId({ id }: Fragment): Slot | undefined {
    return id === "" ? undefined : this.#slots.findLast((slot) => slot.id === id);
  }

  #isUncertain({ name, isMisnumbered }: Fragment): boolean {
    if (this.#hasUnfinished) return true;
    return name === "" && (isMisnumbered || this.#slots.some((slot) => slot.index !== undefined));
  }

  #open(fragment: Fragment, isWhole: boolean): Slot {
    const last = this.#slots.at(-1);
    if (last && this.#inputOf(last, true) !== "whole") this.#hasUnfinished = true;
    const slot: Slot = {
      key: this.#slots.length,
      index: fragment.index,
      id: "",
      name: "",
      early: "",
      lastPiece: "",
      extra: undefined,
      isStarted: false,
      isLate: this.#hasEnded,
      sharesIndex: fragment.index !== undefined && this.#indexes.has(fragment.index),
      isWhole,
    };
    if (fragment.index !== undefined) this.#indexes.add(fragment.index);
    this.#slots.push(slot);
    return slot;
  }

  /** Starts the calls that have an id and a name. A call without them delays the calls after it, to preserve their order. */
  #startInOrder(events: ModelEvent[]): void {
    for (const slot of this.#slots) {
      if (slot.isStarted) continue;
      if (slot.id === "" || slot.name === "") return;
      this.#start(slot, events);
    }
  }

  #start(slot: Slot, events: ModelEvent[]): void {
    slot.isStarted = true;
    const { calls, names, provider } = this.#context;
    const data: ProviderData | undefined = slot.extra && { provider, data: slot.extra };
    calls.start(slot.key, slot.id, names.original(slot.name), data);
    this.#emit(slot, slot.early, events);
  }

  #emit(slot: Slot, piece: string, events: ModelEvent[]): void {
    if (piece !== "") events.push(this.#context.builder.toolInput(slot.key, piece));
  }

  /** Whether a piece that belongs to a slot by its index starts another call: some servers use one index, or none, for all calls. */
  #isAnotherCall(slot: Slot, fragment: Fragment): boolean {
    // A piece without a name continues the call: some servers invent a new id for each piece.
    if (fragment.name === "" || slot.name === "") return false;
    const isOtherId = fragment.id !== "" && slot.id !== "" && fragment.id !== slot.id;
    const isOtherName = fragment.name !== slot.name;
    const hasOneIndex = fragment.index !== undefined && fragment.index === slot.index;
    if ((isOtherId || isOtherName) && !hasOneIndex) return true;
    // Some servers repeat the name in each piece, some with another id; but nothing can follow complete arguments.
    const isStart = fragment.arguments === "" || /^\s*\{/.test(fragment.arguments);
    if (!isOtherName && (!isStart || (fragment.arguments === "" && !isOtherId))) return false;
    const input = this.#inputOf(slot, isOtherId || isOtherName);
    if (input === "whole") return true;
    if (!isOtherName && (input === "empty" || !isOtherId)) return false;
    if (input === "empty") return true;
    throw this.#context.answer.malformed("started a call at the index of a call that has not ended.");
  }

  /** Whether a call may be one that came before: with an id or an index of its own it is another. */
  #mayRepeat(slot: Slot): boolean {
    const { calls, names } = this.#context;
    const isNumbered = slot.id !== "" || slot.isWhole || (slot.index !== undefined && !slot.sharesIndex);
    const list = isNumbered && !slot.isLate ? 0 : undefined;
    return calls.mayRepeat(names.original(slot.name), this.#textOf(slot), list);
  }

  /** Whether a call looks like the rest of the one before: no arguments begin in the middle. */
  #isRest(slot: Slot, before: Slot | undefined): boolean {
    if (!before || slot.index !== undefined || this.#inputOf(slot, true) !== "begun") return false;
    return !/^\s*\{/.test(this.#textOf(slot)) && this.#inputOf(before, true) === "begun";
  }

  #textOf(slot: Slot): string {
    return slot.isStarted ? this.#context.builder.toolInputSoFar(slot.key) : slot.early;
  }

  #inputOf(slot: Slot, isUrgent: boolean): "whole" | "empty" | "begun" {
    // Checking the end first avoids parsing long arguments once for each of their pieces.
    if (slot.lastPiece !== "" && !isUrgent && !/\}\s*$/.test(slot.lastPiece)) return "begun";
    const text = this.#textOf(slot);
    if (text.trim() === "") return "empty";
    return isWholeObject(text) ? "whole" : "begun";
  }
}

function isWholeObject(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text));
  } catch {
    return false;
  }
}

function fragmentOf(entry: JsonObject, answer: PostAnswer): Fragment {
  const call = asObject(entry["function"]);
  const extra = entry["extra_content"];
  const index = asIndex(entry["index"]);
  return {
    index,
    isMisnumbered: index === undefined && (entry["index"] ?? undefined) !== undefined,
    id: asText(entry["id"]),
    name: asText(call["name"]),
    arguments: wholeArguments(call["arguments"], answer),
    extra: isJsonObject(extra) ? { extra_content: extra } : undefined,
  };
}

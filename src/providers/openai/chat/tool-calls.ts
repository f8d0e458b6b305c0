import type { ProviderData } from "../../../message/parts.ts";
import type { ModelEvent } from "../../../model/types.ts";
import type { JsonObject } from "../../../base/util/json.ts";
import { repeatedCall } from "../../kit/answer-calls.ts";
import type { AnswerContext } from "../protocol.ts";
import { type CallPiece, callPieceOf, shapeOfArguments } from "./call-pieces.ts";
import { type AssembledCall, lossOf } from "./lost-pieces.ts";

/** A call whose pieces are being received. */
interface Slot extends AssembledCall {
  readonly key: number;
  id: string;
  name: string;
  /** The arguments that came before the call's id and name. Once the call is started, the builder has all arguments. */
  early: string;
  /** The last piece of the arguments that was not empty. */
  lastPiece: string;
  beginnings: number;
  extra: JsonObject | undefined;
  isStarted: boolean;
  /** Whether it came after an ending. */
  readonly isLate: boolean;
  /** Whether it came in the place of another call. */
  readonly sharesIndex: boolean;
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
  /** Whether a call had pieces with several ids: then an id says nothing of which call it is. */
  #hasChangingIds = false;
  #hasEnded = false;
  readonly #byIndex = new Map<number, Slot[]>();
  readonly #byId = new Map<string, Slot[]>();
  /** The calls that wait for their names. */
  readonly #nameless = new Set<Slot>();

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
    const piece = callPieceOf(entry, this.#context.answer);
    if (!piece.id && !piece.name && !piece.arguments) return;
    const match = isWhole ? undefined : this.#find(piece);
    const slot = match && !this.#isAnotherCall(match, piece) ? match : this.#open(piece, isWhole);
    slot.lastPiece = piece.arguments || slot.lastPiece;
    if (/^\s*\{/.test(piece.arguments)) slot.beginnings++;
    this.#hasChangingIds ||= piece.id !== "" && slot.id !== "" && piece.id !== slot.id;
    if (slot.isStarted) return this.#emit(slot, piece.arguments, events);
    if (slot.id === "" && piece.id !== "") addTo(this.#byId, (slot.id = piece.id), slot);
    if (piece.name !== "") this.#nameless.delete(slot);
    slot.name ||= piece.name;
    slot.extra ??= piece.extra;
    slot.early += piece.arguments;
    this.#startInOrder(events);
  }

  /** Ends every call, since the answer is complete. @throws MalformedResponseError if it is not certain which arguments are whose */
  end(events: ModelEvent[]): void {
    const { answer, calls } = this.#context;
    const hasSureIds = !this.#hasChangingIds;
    const loss = lossOf(this.#slots, { hasSureIds, textOf: (slot) => this.#textOf(slot) });
    if (loss) throw answer.malformed(loss);
    if (this.#slots.some((slot) => this.#mayRepeat(slot))) throw answer.malformed(repeatedCall);
    for (const slot of this.#slots) {
      if (!slot.isStarted) this.#start(slot, events);
      events.push(...calls.end(slot.key));
    }
  }

  /** The call that a piece names, or may only belong to; `undefined` for the first piece of a call. */
  #find(piece: CallPiece): Slot | undefined {
    const last = this.#slots.at(-1);
    if (piece.name !== "" && this.#nameless.size > 0) return this.#toBeNamed(piece);
    const slot = piece.index === undefined ? this.#withoutIndex(piece) : this.#atIndex(piece);
    // A call may get its name late, but only once no other one can go on.
    if (!slot && piece.name === "" && (this.#hasUnfinished || (last && !this.#isFinished(last))))
      throw this.#context.answer.malformed("sent a piece of a call that has not begun.");
    return slot;
  }

  /** The one call that waits for a name and has this piece's index, and no other id. */
  #toBeNamed({ index, id }: CallPiece): Slot {
    const [slot, ...others] = [...this.#nameless].filter(
      (each) => each.index === index && (each.id === "" || id === "" || each.id === id),
    );
    if (slot && others.length === 0) return slot;
    throw this.#context.answer.malformed("began a call before the calls before it had their names.");
  }

  #withoutIndex(piece: CallPiece): Slot | undefined {
    const last = this.#slots.at(-1);
    const named = this.#withId(piece);
    if (named) return named;
    const startsAnother = piece.name !== "" && piece.id !== "";
    if (startsAnother) return last?.id === "" ? last : undefined;
    // Whether it continues the last call, under whatever id, is certain only if no other one can go on.
    if (this.#slots.length > 1 && this.#isUncertain(piece)) this.#refuse();
    return last;
  }

  /** The call at an index. Of several there, the id says which; an id of a call elsewhere contradicts the index. */
  #atIndex(piece: CallPiece): Slot | undefined {
    const there = piece.index === undefined ? [] : (this.#byIndex.get(piece.index) ?? []);
    const named = this.#withId(piece);
    if (named && there.length > 0 && named.index === piece.index) return named;
    const slot = there.at(-1);
    const isElsewhere = named?.index !== undefined && piece.name === "";
    if (named && (isElsewhere || (slot && slot.id !== "")))
      throw this.#context.answer.malformed("sent a piece with the index of one call and the id of another.");
    if (there.length > 1 && piece.name === "" && this.#hasUnfinished) this.#refuse();
    return slot ?? (named?.index === undefined ? named : undefined);
  }

  /** The call with the piece's id. Of several, the last one, if no other one can go on. */
  #withId({ id, name }: CallPiece): Slot | undefined {
    const named = this.#byId.get(id) ?? [];
    if (named.length > 1 && name === "" && this.#hasUnfinished) this.#refuse();
    return named.at(-1);
  }

  #isUncertain({ name, isMisnumbered }: CallPiece): boolean {
    if (this.#hasUnfinished) return true;
    return name === "" && (isMisnumbered || this.#slots.some((slot) => slot.index !== undefined));
  }

  #refuse(): never {
    throw this.#context.answer.malformed("sent a piece without saying of which call.");
  }

  #open(piece: CallPiece, isWhole: boolean): Slot {
    const last = this.#slots.at(-1);
    if (last && !this.#isFinished(last)) this.#hasUnfinished = true;
    const slot: Slot = {
      key: this.#slots.length,
      index: piece.index,
      firstId: piece.id,
      id: "",
      name: "",
      early: "",
      lastPiece: "",
      beginnings: 0,
      extra: undefined,
      isStarted: false,
      isLate: this.#hasEnded,
      sharesIndex: piece.index !== undefined && this.#byIndex.has(piece.index),
      isWhole,
    };
    if (piece.index !== undefined) addTo(this.#byIndex, piece.index, slot);
    this.#nameless.add(slot);
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
  #isAnotherCall(slot: Slot, piece: CallPiece): boolean {
    // A piece without a name continues the call: some servers invent a new id for each piece.
    if (piece.name === "" || slot.name === "") return false;
    const isOtherId = piece.id !== "" && slot.id !== "" && piece.id !== slot.id;
    const isOtherName = piece.name !== slot.name;
    const hasOneIndex = piece.index !== undefined && piece.index === slot.index;
    if ((isOtherId || isOtherName) && !hasOneIndex) return true;
    // Some servers repeat the name in each piece, some with another id; but nothing can follow complete arguments.
    const isStart = piece.arguments === "" || /^\s*\{/.test(piece.arguments);
    if (!isOtherName && (!isStart || (piece.arguments === "" && !isOtherId))) return false;
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

  #textOf(slot: Slot): string {
    return slot.isStarted ? this.#context.builder.toolInputSoFar(slot.key) : slot.early;
  }

  #isFinished(slot: Slot): boolean {
    return shapeOfArguments(this.#textOf(slot)) === "whole";
  }

  #inputOf(slot: Slot, isUrgent: boolean): "whole" | "empty" | "begun" {
    // Checking the end first avoids reading long arguments once for each of their pieces.
    if (slot.lastPiece !== "" && !isUrgent && !/\}\s*$/.test(slot.lastPiece)) return "begun";
    const shape = shapeOfArguments(this.#textOf(slot));
    return shape === "whole" || shape === "empty" ? shape : "begun";
  }
}

function addTo<Key>(slots: Map<Key, Slot[]>, key: Key, slot: Slot): void {
  const before = slots.get(key);
  if (before) before.push(slot);
  else slots.set(key, [slot]);
}

import { defineOwn, freeze } from "../util/snapshot.ts";
import { type JsonLeaf, leavesOf } from "./json-leaves.ts";

/** What texts have in common: the pieces around their slots, and the objects and lists around the values. */
interface Skeleton {
  readonly pieces: readonly string[];
  readonly slots: readonly JsonLeaf[];
  readonly container: Container;
}

/** An object or a list that has slots, or one that has. */
interface Container {
  readonly template: object;
  readonly members: readonly (readonly [key: string | number, member: number | Container])[];
}

/** Texts of one shape: they differ in their leaves alone. */
interface Kind {
  readonly text: string;
  readonly leaves: readonly JsonLeaf[];
  /** The leaves that were not always the same. */
  readonly slots: Set<number>;
  readonly skeleton: Skeleton | undefined;
}

/** How many kinds are remembered, and of how long texts; more slots than that are not worth it. */
const mostKinds = 8;
const longestText = 16_384;
const mostSlots = 8;

/** How many texts may be looked at closely, which takes as long as parsing ten; one more for each eight that were like earlier ones. */
const mostLooks = 100;
const textsOfLook = 8;

// oxlint-disable-next-line no-control-regex -- JSON has none within texts
const escapeOrControl = /[\\\u0000-\u001f]/;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** After how many texts it is looked at what they have in common: of fewer, to look costs more than it saves. */
const fewTexts = 64;

/**
 * Parses texts one after another, as `JSON.parse` does, of which many differ in a few texts and numbers alone: the events of a
 * model's answer. Bench row "20000 chunks of text": what is the same in all of them need not be parsed again. Parts of values may
 * be frozen, and be parts of several values.
 */
export class SimilarJson {
  #plainTexts: number;
  /** By shape, the oldest first. */
  readonly #kinds = new Map<string, Kind>();
  /** Those with a skeleton, the last one that was met first. */
  #skeletons: Skeleton[] = [];
  #looksLeft = mostLooks;
  #alike = 0;

  /** @param plainTexts - How many texts are only parsed at first; 64 by default. */
  constructor(plainTexts: number = fewTexts) {
    this.#plainTexts = plainTexts;
  }

  /** @throws SyntaxError for what is not JSON. */
  parse(text: string): unknown {
    if (this.#plainTexts > 0) {
      this.#plainTexts--;
      return JSON.parse(text);
    }
    if (text.length > longestText) return JSON.parse(text);
    const skeletons = this.#skeletons;
    for (let place = 0; place < skeletons.length; place++) {
      const skeleton = skeletons[place];
      const value = skeleton && fill(skeleton, text);
      if (value === undefined) continue;
      if (place > 0) skeletons.unshift(...skeletons.splice(place, 1));
      if (++this.#alike % textsOfLook === 0 && this.#looksLeft < mostLooks) this.#looksLeft++;
      return value;
    }
    const parsed: unknown = JSON.parse(text);
    if (this.#looksLeft > 0) this.#look(JSON.parse(JSON.stringify(text)));
    return parsed;
  }

  /** @param text - A copy, of which pieces are kept. */
  #look(text: string): void {
    this.#looksLeft--;
    const read = leavesOf(text);
    if (!read) return;
    const { leaves, shape } = read;
    const kind = this.#kinds.get(shape);
    const slots = kind?.slots ?? new Set();
    for (const [index, { start, end }] of leaves.entries()) {
      const before = kind?.leaves[index];
      if (before && text.slice(start, end) !== kind.text.slice(before.start, before.end)) slots.add(index);
    }
    const isWorthIt = kind !== undefined && slots.size <= mostSlots;
    const skeleton = isWorthIt
      ? skeletonOf(
          text,
          leaves.filter((_, index) => slots.has(index)),
        )
      : undefined;
    this.#kinds.delete(shape);
    this.#kinds.set(shape, { text, leaves, slots, skeleton });
    if (this.#kinds.size > mostKinds) this.#kinds.delete(this.#kinds.keys().next().value ?? "");
    this.#skeletons = [...this.#kinds.values()].flatMap((each) => each.skeleton ?? []).toReversed();
  }
}

/** The longest piece of a text that is a copy: a longer one would keep the whole text, and what that is a piece of, in memory. */
const longestCopied = 12;

/** The value of a text that has a skeleton; `undefined` for any other. */
function fill({ pieces, slots, container }: Skeleton, text: string): unknown {
  const values: (string | number)[] = [];
  let at = 0;
  for (const [index, { isText }] of slots.entries()) {
    const piece = pieces[index] ?? "";
    // Twenty times as fast as `startsWith`.
    if (text.slice(at, (at += piece.length)) !== piece) return undefined;
    const end = isText ? endOfText(text, at) : endOfNumber(text, at);
    if (end < 0) return undefined;
    const literal = text.slice(at, end);
    if (!isText) values.push(Number(literal));
    else if (literal.length <= longestCopied && !escapeOrControl.test(literal)) values.push(literal);
    else {
      const copy = parsedText(`"${literal}"`);
      if (copy === undefined) return undefined;
      values.push(copy);
    }
    at = end;
  }
  const last = pieces[slots.length] ?? "";
  return text.slice(at) === last ? build(container, values) : undefined;
}

/** Where the quote is that ends a text; -1 without one. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (end - 1 - slashes >= start && text[end - 1 - slashes] === "\\") slashes++;
    if (slashes % 2 === 0) return end;
  }
  return -1;
}

function endOfNumber(text: string, start: number): number {
  number.lastIndex = start;
  return number.test(text) ? number.lastIndex : -1;
}

function parsedText(literal: string): string | undefined {
  try {
    return String(JSON.parse(literal));
  } catch {
    return undefined;
  }
}

function build({ template, members }: Container, values: readonly (string | number)[]): unknown {
  const copy: Record<string, unknown> | unknown[] = Array.isArray(template) ? [...template] : { ...template };
  for (const [key, member] of members)
    defineOwn(Object(copy), String(key), typeof member === "number" ? values[member] : build(member, values));
  return copy;
}

/** What texts have in common that differ in some leaves alone; `undefined` for what is neither an object nor a list. */
function skeletonOf(text: string, slots: readonly JsonLeaf[]): Skeleton | undefined {
  const pieces = slots.map(({ start }, index) => text.slice(slots[index - 1]?.end ?? 0, start));
  const container = containerOf(freeze(JSON.parse(text)), [...slots.entries()], 0);
  return container && { pieces: [...pieces, text.slice(slots.at(-1)?.end ?? 0)], slots, container };
}

/** The object or list at some depth, with the slots that are in it. */
function containerOf(
  template: unknown,
  slots: readonly (readonly [index: number, slot: JsonLeaf])[],
  depth: number,
): Container | undefined {
  if (typeof template !== "object" || template === null) return undefined;
  const members = Map.groupBy(slots, ([, { path }]) => path[depth] ?? "");
  return {
    template,
    members: [...members].map(([key, within]) => {
      const [first] = within;
      const isSlot = within.length === 1 && first?.[1].path.length === depth + 1;
      const member = isSlot ? first[0] : containerOf(Reflect.get(template, key), within, depth + 1);
      return [key, member ?? 0];
    }),
  };
}

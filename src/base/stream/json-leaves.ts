/** A text or a number in a text of JSON. */
export interface JsonLeaf {
  /** Where it stands, without the quotes of a text. */
  readonly start: number;
  readonly end: number;
  readonly isText: boolean;
  /** Keys and indexes from the root. */
  readonly path: readonly (string | number)[];
}

/** The leaves of a text, and the text without them. */
export interface JsonLeaves {
  readonly leaves: readonly JsonLeaf[];
  readonly shape: string;
}

/** An object or a list that a text is in. */
interface Frame {
  readonly keys: Set<string> | undefined;
  place: string | number;
}

const token = /\s*("(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|[{}[\],:]|true|false|null)/y;

/** How deep leaves are looked for: each has as long a path. */
const deepest = 16;

/** How many there may be. */
const mostLeaves = 256;

/**
 * Finds the texts and numbers in what is known to be JSON; `undefined` where an object has one key twice, and for what has more than
 * 256 leaves or more than 16 levels.
 */
export function leavesOf(text: string): JsonLeaves | undefined {
  const leaves: JsonLeaf[] = [];
  const frames: Frame[] = [];
  let shape = "";
  let from = 0;
  let isKey = false;
  token.lastIndex = 0;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [, word = ""] = match;
    const end = token.lastIndex;
    const frame = frames.at(-1);
    if (word === "{" || word === "[") {
      if (frames.length === deepest) return undefined;
      frames.push({ keys: word === "{" ? new Set() : undefined, place: 0 });
      isKey = word === "{";
    } else if (word === "}" || word === "]") {
      frames.pop();
      isKey = false;
    } else if (word === ",") {
      if (frame?.keys) isKey = true;
      else if (typeof frame?.place === "number") frame.place++;
    } else if (isKey) {
      isKey = false;
      // An escape may write the same key in another way.
      const key = String(JSON.parse(word));
      if (!frame?.keys || frame.keys.has(key)) return undefined;
      frame.keys.add(key);
      frame.place = key;
    } else if (/^["\d-]/.test(word)) {
      if (leaves.length === mostLeaves) return undefined;
      const isText = word.startsWith('"');
      const [start, last] = isText ? [end - word.length + 1, end - 1] : [end - word.length, end];
      leaves.push({ start, end: last, isText, path: frames.map(({ place }) => place) });
      shape += `${text.slice(from, start)}${isText ? "" : "0"}`;
      from = last;
    }
  }
  return { leaves, shape: shape + text.slice(from) };
}

import type { Random } from "../random.ts";

/** Reads a pattern from left to right. */
interface Reader {
  readonly pattern: string;
  at: number;
  readonly random: Random;
  readonly length: "short" | "any";
}

/** What stands for one character of a class. */
const classes: Readonly<Record<string, string>> = {
  d: "0123456789",
  w: "abcXYZ019_",
  s: " ",
  D: "ab-",
  W: "-!.",
  S: "aB1-",
};

const anyCharacter = "aZ09 -";

/** A text that fits a simple pattern: literals, classes, groups, alternatives and repetitions. `undefined` for what is not. */
export function textLike(
  pattern: string,
  random: Random,
  length: "short" | "any" = "any",
): string | undefined {
  const reader: Reader = { pattern, at: 0, random, length };
  try {
    const text = alternatives(reader);
    return reader.at === pattern.length && new RegExp(pattern, "u").test(text) ? text : undefined;
  } catch {
    // A pattern that is more than this reads has no text made for it; validation of the schema says whether it is one.
    return undefined;
  }
}

function alternatives(reader: Reader): string {
  const branches = [sequence(reader)];
  while (reader.pattern[reader.at] === "|") {
    reader.at++;
    branches.push(sequence(reader));
  }
  return reader.random.pick(branches) ?? "";
}

function sequence(reader: Reader): string {
  let text = "";
  while (reader.at < reader.pattern.length && !"|)".includes(reader.pattern[reader.at] ?? "")) {
    const start = reader.at;
    const first = atom(reader);
    const after = reader.at;
    const times = repetitions(reader);
    const end = reader.at;
    if (times > 0) text += first;
    for (let time = 1; time < times; time++) {
      reader.at = start;
      text += atom(reader);
    }
    reader.at = Math.max(end, after);
  }
  return text;
}

function atom(reader: Reader): string {
  const character = reader.pattern[reader.at++] ?? "";
  if (character === "^" || character === "$") return "";
  if (character === ".") return reader.random.pick(Array.from(anyCharacter)) ?? "";
  if (character === "\\") return escape(reader);
  if (character === "[") return characterClass(reader);
  if (character !== "(") return character;
  const prefix = /^\?(?::|<\w+>)/.exec(reader.pattern.slice(reader.at))?.[0];
  if (prefix === undefined && reader.pattern[reader.at] === "?")
    throw new SyntaxError("a group that looks around");
  reader.at += prefix?.length ?? 0;
  const text = alternatives(reader);
  reader.at++;
  return text;
}

function escape(reader: Reader): string {
  const character = reader.pattern[reader.at++] ?? "";
  if (/[bBpPkuxc1-9]/.test(character)) throw new SyntaxError("an escape that is not known here");
  const characters = classes[character];
  if (characters !== undefined) return reader.random.pick(Array.from(characters)) ?? "";
  return { n: "\n", t: "\t", r: "\r" }[character] ?? character;
}

function characterClass(reader: Reader): string {
  const end = /^\^?\]?(?:\\.|[^\]\\])*\]/.exec(reader.pattern.slice(reader.at))?.[0];
  if (end === undefined) throw new SyntaxError("a class without its end");
  reader.at += end.length;
  const fits = new RegExp(`^[${end}$`, "u");
  const candidates = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
  const fitting = [...candidates, "é", "ß"].filter((character) => fits.test(character));
  const text = reader.random.pick(fitting);
  if (text === undefined) throw new SyntaxError("a class without a common character");
  return text;
}

function repetitions(reader: Reader): number {
  const match = /^(?:[*+?]|\{(\d+)(,(\d*))?\})\??/.exec(reader.pattern.slice(reader.at));
  if (!match) return 1;
  reader.at += match[0].length;
  const [all, exactly, open, upTo] = match;
  const least = exactly === undefined ? (all.startsWith("+") ? 1 : 0) : Number(exactly);
  const most =
    exactly !== undefined && open === undefined
      ? least
      : upTo
        ? Number(upTo)
        : all.startsWith("?")
          ? 1
          : least + 3;
  return reader.length === "short" ? least : reader.random.integer(least, Math.min(most, least + 20));
}

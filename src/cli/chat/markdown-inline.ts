import type { Style } from "../text.ts";

/** Styles laid over each other. */
export type Styles = readonly Extract<Style, string>[];

/** Shows a text in styles. */
export type Paint = (styles: Styles, text: string) => string;

/** The longest that is waited for the end of what a mark begins; beyond, the mark is an ordinary character. */
const longest = 500;
const inner = `[^\\n]{0,${longest}}?`;

interface Kind {
  /** What stands where one begins, or may be about to. */
  readonly opening: RegExp;
  readonly whole: RegExp;
  readonly show: (match: RegExpExecArray, styles: Styles, paint: Paint) => string;
}

/** Text within marks of one kind, which may hold others. */
function span(mark: string, style: Styles[number], wordsOnly = false): Kind {
  const escaped = mark.replaceAll("*", String.raw`\*`);
  const before = wordsOnly ? String.raw`(?<![\p{L}\p{N}_])` : "";
  const after = wordsOnly ? String.raw`(?![\p{L}\p{N}_])` : mark.length === 1 ? `(?!${escaped})` : "";
  return {
    opening: new RegExp(`${before}${escaped}(?!\\s)`, "uy"),
    whole: new RegExp(
      `${before}${escaped}(?![\\s${escaped}])(${inner}[^\\s${escaped}])${escaped}${after}`,
      "uy",
    ),
    show: ([, text = ""], styles, paint) => renderInline(text, paint, [...styles, style]),
  };
}

const kinds: readonly Kind[] = [
  {
    opening: /\\/y,
    whole: /\\([!-/:-@[-`{-~])/y,
    show: ([, character = ""], styles, paint) => paint(styles, character),
  },
  {
    opening: /`+/y,
    whole: new RegExp(`(\`+)(?!\`)(${inner}[^\`])\\1(?!\`)`, "y"),
    show: ([, , code = ""], styles, paint) => paint([...styles, "cyan"], code),
  },
  {
    opening: /!?\[[^\]\n]*(?:\](?:\([^)\n]*)?)?$/y,
    whole: new RegExp(
      `!?\\[([^\\]\\n]{0,${longest}})\\]\\(<?([^()\\s<>]{1,${longest}})>?(?: "[^"\\n]{0,99}")?\\)`,
      "y",
    ),
    show: showLink,
  },
  span("**", "bold"),
  span("__", "bold", true),
  span("~~", "strikethrough"),
  span("*", "italic"),
  span("_", "italic", true),
];

/** Where a mark may be: everything before is shown as it is. */
const marks = /[\\`![*_~]/g;

/**
 * Text of one line with its marks turned into styles; an incomplete mark stays as it is.
 * @param before the character that comes before it.
 */
export function renderInline(text: string, paint: Paint, styles: Styles = [], before = ""): string {
  return walk(before + text, before.length, paint, styles, true).output;
}

/**
 * The same for a line that is still being written: what a later piece could turn into something else is left.
 * @returns what can be shown, and what is left to come with the next piece.
 */
export function renderSettled(text: string, paint: Paint, styles: Styles = [], before = ""): Settled {
  return walk(before + text, before.length, paint, styles, false);
}

interface Settled {
  readonly output: string;
  readonly rest: string;
}

function walk(text: string, from: number, paint: Paint, styles: Styles, isWhole: boolean): Settled {
  let output = "";
  let plain = "";
  let at = from;
  while (at < text.length) {
    marks.lastIndex = at;
    const next = marks.exec(text)?.index ?? text.length;
    plain += text.slice(at, next);
    at = next;
    if (at === text.length) break;
    const match = matchAt(text, at);
    // What ends with this piece may go on: `**` can still become `***`, and the end of a code span another character of it.
    if (!isWhole && isOpen(text, at, match)) break;
    if (match) {
      output += flush(plain, styles, paint) + match.kind.show(match.match, styles, paint);
      plain = "";
      at += match.match[0].length;
    } else {
      const run = runAt(text, at);
      plain += run;
      at += run.length;
    }
  }
  return { output: output + flush(plain, styles, paint), rest: text.slice(at) };
}

function flush(text: string, styles: Styles, paint: Paint): string {
  return text === "" ? "" : paint(styles, text);
}

interface Found {
  readonly kind: Kind;
  readonly match: RegExpExecArray;
}

function matchAt(text: string, at: number): Found | undefined {
  for (const kind of kinds) {
    kind.whole.lastIndex = at;
    const match = kind.whole.exec(text);
    if (match) return { kind, match };
  }
  return undefined;
}

/** Whether more text could change what stands at that place. */
function isOpen(text: string, at: number, match: Found | undefined): boolean {
  if (text.length - at > longest) return false;
  if (match) return at + match.match[0].length === text.length;
  return (
    at + runAt(text, at).length === text.length ||
    kinds.some(({ opening }) => {
      opening.lastIndex = at;
      return opening.test(text);
    })
  );
}

/** The same mark several times over is one: `***` is not a `*` before a `**`. */
function runAt(text: string, at: number): string {
  let end = at + 1;
  while (text[end] === text[at]) end += 1;
  return text.slice(at, end);
}

function showLink(match: RegExpExecArray, styles: Styles, paint: Paint): string {
  const [whole, text = "", address = ""] = match;
  const label = whole.startsWith("!") ? `[image${text === "" ? "" : `: ${text}`}]` : text;
  if (label === address || label === "") return paint([...styles, "underline"], address);
  const visibleText = whole.startsWith("!")
    ? paint(styles, label)
    : renderInline(label, paint, [...styles, "underline"]);
  return `${visibleText}${paint(styles, ` (${address})`)}`;
}

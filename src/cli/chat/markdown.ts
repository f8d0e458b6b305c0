import type { Screen } from "../text.ts";
import { type Paint, renderInline, renderSettled, type Styles } from "./markdown-inline.ts";

/** Lays out a text in Markdown while it is being written. */
export interface MarkdownWriter {
  /** What can be shown of the text so far, after what was shown before; free of line ends that are not settled. */
  write(piece: string): string;
  /** The rest, once the text is complete. */
  end(): string;
}

/** How a line begins, and how the rest of it is shown. */
interface Opening {
  readonly pattern: RegExp;
  readonly show: (match: RegExpExecArray, paint: Paint) => string;
  readonly styles?: (match: RegExpExecArray) => Styles;
}

const openings: readonly Opening[] = [
  {
    pattern: /^ {0,3}(#{1,6})[ \t]+/,
    show: () => "",
    styles: ([, marks = ""]) => (marks.length === 1 ? ["bold", "underline"] : ["bold"]),
  },
  { pattern: /^(\s*)[-*+] +(?:\[([ xX])\] )?/, show: ([, indent = "", box]) => `${indent}${bullet(box)} ` },
  {
    pattern: /^ {0,3}((?:> ?)+)/,
    show: ([, marks = ""], paint) => paint(["dim"], "│ ".repeat(marks.replaceAll(" ", "").length)),
    styles: () => ["dim"],
  },
];

/** What a line begins with, as long as it may still become one of these, a line across or a fence. */
const undecided =
  /^\s*(?:#{1,6}[ \t]*|[-*_+ \t]+|[-*+] +\[[ xX]?\]?|[> ]+|`{1,2}|~{1,2}|(?:`{3}|~{3})[^\n]*)?$/;
const lineAcross = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const openingFence = /^\s*(`{3,}|~{3,})[ \t]*([^`\n]*)$/;
const closingFence = /^\s*(`{3,}|~{3,})[ \t]*$/;

/** The longest beginning of a line that is waited for. */
const longest = 200;

interface State {
  /** What was written and not shown yet, all of one line. */
  pending: string;
  /** Whether the beginning of this line has been shown. */
  isBegun: boolean;
  /** Of the line's text. */
  styles: Styles;
  /** The last character that was shown of this line: marks mean nothing within a word. */
  before: string;
  /** The marks that opened a block of code. */
  fence: string | undefined;
}

/**
 * A writer that turns marks into styles: headings, bold, italic, code, lists, quotes, links (whose address follows in
 * brackets). It holds back as much as a later piece could change, a line at most.
 * @param inWords says where code begins and ends, for people who cannot see it.
 */
export function markdownWriter(screen: Pick<Screen, "paint">, inWords = false): MarkdownWriter {
  const state: State = { pending: "", isBegun: false, styles: [], before: "", fence: undefined };
  const paint: Paint = (styles, text) => (styles.length === 0 ? text : screen.paint([...styles], text));
  return {
    write(piece) {
      const lines = piece.split("\n");
      const last = lines.pop() ?? "";
      return (
        lines.map((line) => endLine(state, line, paint, inWords)).join("") + addToLine(state, last, paint)
      );
    },
    end() {
      const isEmpty = state.pending === "" && !state.isBegun;
      return isEmpty ? "" : endLine(state, "", paint, inWords).replace(/\n$/, "");
    },
  };
}

function addToLine(state: State, piece: string, paint: Paint): string {
  state.pending += piece;
  let output = "";
  if (!state.isBegun) {
    if (isUndecided(state)) return "";
    output = beginLine(state, paint);
  }
  if (state.fence !== undefined) return output + takeHeld(state, (code) => paint(["cyan"], code));
  const { pending, styles, before } = state;
  const { output: text, rest } = renderSettled(pending, paint, styles, before);
  state.before = pending.at(-1 - rest.length) ?? before;
  state.pending = rest;
  return output + text;
}

function endLine(state: State, piece: string, paint: Paint, inWords: boolean): string {
  state.pending += piece;
  const whole = state.isBegun ? undefined : wholeLine(state, paint, inWords);
  const output = whole
    ? whole.output
    : (state.isBegun ? "" : beginLine(state, paint)) + endOfLine(state, paint);
  state.isBegun = false;
  state.styles = [];
  state.before = "";
  return output === undefined ? "" : `${output}\n`;
}

function endOfLine(state: State, paint: Paint): string {
  return takeHeld(state, (text) =>
    state.fence === undefined ? renderInline(text, paint, state.styles, state.before) : paint(["cyan"], text),
  );
}

/** A line that only its end identifies: a fence, or a line across. It may be shown as nothing at all. */
function wholeLine(
  state: State,
  paint: Paint,
  inWords: boolean,
): { readonly output: string | undefined } | undefined {
  const { pending, fence } = state;
  const [, marks = "", language = ""] =
    (fence === undefined ? openingFence : closingFence).exec(pending) ?? [];
  if (marks !== "" && (fence === undefined || marks.startsWith(fence))) {
    state.pending = "";
    state.fence = fence === undefined ? marks : undefined;
    return { output: fenceLine(fence === undefined, language.trim(), paint, inWords) };
  }
  if (fence !== undefined || !lineAcross.test(pending)) return undefined;
  state.pending = "";
  return { output: inWords ? undefined : paint(["dim"], "─".repeat(20)) };
}

function fenceLine(isOpening: boolean, language: string, paint: Paint, inWords: boolean): string | undefined {
  if (inWords && !isOpening) return "End of code.";
  if (inWords) return language === "" ? "Code:" : `Code in ${language}:`;
  return isOpening && language !== "" ? paint(["dim"], `  ${language}`) : undefined;
}

/** Shows how the line begins; the rest of it stays pending. */
function beginLine(state: State, paint: Paint): string {
  state.isBegun = true;
  if (state.fence !== undefined) return "  ";
  for (const { pattern, show, styles } of openings) {
    const match = pattern.exec(state.pending);
    if (!match) continue;
    state.pending = state.pending.slice(match[0].length);
    state.styles = styles?.(match) ?? [];
    return show(match, paint);
  }
  return "";
}

function isUndecided({ pending, fence }: State): boolean {
  if (pending === "") return true;
  if (pending.length > longest) return false;
  return fence === undefined ? undecided.test(pending) : /^\s*[`~]*[ \t]*$/.test(pending);
}

function takeHeld(state: State, show: (text: string) => string): string {
  const { pending } = state;
  state.pending = "";
  return pending === "" ? "" : show(pending);
}

function bullet(box: string | undefined): string {
  if (box === undefined) return "•";
  return box === " " ? "☐" : "☑";
}

import { useState } from "preact/hooks";
import type { ComponentChildren, VNode } from "preact";
import { exact } from "./format.ts";

/** What of a long text is shown at first, in characters. */
const shown = 65_536;

/** Characters that would steer a terminal or the direction of writing, or that nobody sees. Line breaks and tabs stay. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** How long a text is that is laid out as a whole, in characters. */
const longestPiece = 4_000;

/** A text of a model, a tool or a person: as text nodes, its hidden characters written out. */
export function Text({ of }: { of: string }): VNode {
  return <span class="txt">{of.length > longestPiece ? piecesOf(of).map(piece) : visible(of)}</span>;
}

function piece(text: string, index: number): VNode {
  return (
    <span key={index} class="piece">
      {visible(text)}
    </span>
  );
}

/** A long text in blocks of lines, of which only those are laid out that are seen or change: line by line, or where lines do not end, at a space. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    const line = text.indexOf("\n", from + longestPiece / 2);
    const space = line >= 0 && line < from + longestPiece ? line : text.indexOf(" ", from + longestPiece);
    const end = text.length - from <= longestPiece || space < 0 ? text.length : space + 1;
    // Where nothing ends at all.
    const to = Math.min(end, from + 4 * longestPiece);
    pieces.push(text.slice(from, to));
    from = to;
  }
  return pieces;
}

/** Why something failed, in the words of a program or a person. */
export function ErrorNote({ of, role }: { of: string; role?: "alert" }): VNode {
  return (
    <div class="note b" role={role}>
      <p>
        <Text of={of} />
      </p>
    </div>
  );
}

/** A text with its hidden characters written out. */
export function visible(text: string): ComponentChildren {
  if (text.search(hidden) < 0) return text;
  const parts: ComponentChildren[] = [];
  let from = 0;
  for (const match of text.matchAll(hidden)) {
    const code = match[0].codePointAt(0) ?? 0;
    parts.push(text.slice(from, match.index), <span class="dim3">{`\\u{${code.toString(16)}}`}</span>);
    from = match.index + match[0].length;
  }
  parts.push(text.slice(from));
  return parts;
}

/** A text that may be very long: its beginning, and the rest on demand. */
export function LongText({
  of,
  class: name = "code",
  label,
  length = of.length,
  load,
}: {
  of: string;
  class?: string;
  label?: string;
  /** Characters of the whole text, where `of` is its beginning. */
  length?: number;
  /** Reads the whole text. */
  load?: () => Promise<string>;
}): VNode {
  const [whole, setWhole] = useState<string | undefined>(undefined);
  const isCut = whole === undefined && length > shown;
  const showAll = async (): Promise<void> => setWhole(length > of.length && load ? await load() : of);
  return (
    <>
      <pre class={name} tabIndex={0} aria-label={label}>
        <Text of={whole ?? (isCut ? of.slice(0, shown) : of)} />
        {isCut && <span class="dim3">{`\n${exact(length)} characters. First ${exact(shown)} shown.`}</span>}
      </pre>
      {isCut && (
        <div class="acts">
          <button class="btn" type="button" onClick={() => void showAll()}>
            All of it
          </button>
        </div>
      )}
    </>
  );
}

/** The same as a text alone, for names in attributes, options and pictures. */
export function plain(text: string): string {
  return text.replaceAll(hidden, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** A value as JSON, indented; a text of JSON the same; any other text as it is. */
export function pretty(value: unknown): string {
  if (typeof value !== "string") return JSON.stringify(value, null, 2) ?? "";
  if (!/^\s*[[{]/.test(value) || value.length > 1_000_000) return value;
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}

import { styleText } from "node:util";
import type { Part } from "../message/parts.ts";
import { isPlainObject } from "../util/json.ts";

/** A style or several, as `styleText` of `node:util` names them. */
export type Style = Parameters<typeof styleText>[0];

/** Where text goes, and how it may look there. */
export interface Screen {
  write(text: string): void;
  /** Colours the text where the terminal can show it and `NO_COLOR` is not set. */
  paint(style: Style, text: string): string;
  /** How many characters fit on a line. */
  readonly columns: number;
}

/** The width assumed where output is no terminal. */
const plainColumns = 100;

/** A screen on any stream; one with `isTTY` is taken for a terminal. */
export function screenOn(output: NodeJS.WritableStream & { readonly columns?: number }): Screen {
  return {
    write: (text) => void output.write(text),
    paint: (style, text) => styleText(style, text, { stream: output }),
    get columns() {
      return Math.max(40, output.columns ?? plainColumns);
    },
  };
}

/** Text without the control characters that could drive a terminal; line breaks and tabs stay. */
export function printable(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(/(?![\n\t])\p{Cc}/gu, "");
}

/** Text on one line of at most `limit` characters, cut with an ellipsis. */
export function shorten(text: string, limit: number): string {
  // Looking at more than the line can show would cost as much as the value is long.
  const line = printable(text.slice(0, limit * 8))
    .replaceAll(/\s+/g, " ")
    .trim();
  const characters = Array.from(line);
  if (characters.length <= limit && text.length <= limit * 8) return line;
  return `${characters.slice(0, Math.max(1, limit - 1)).join("")}…`;
}

/** A call's arguments as a program would write them: `city: "Paris", days: 3`; what is no JSON object stands as it is. */
export function formatArguments(raw: string): string {
  if (raw.trim() === "") return "";
  const value = parse(raw);
  if (!isPlainObject(value)) return raw;
  return Object.entries(value)
    .map(([name, argument]) => `${name}: ${JSON.stringify(argument)}`)
    .join(", ");
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // The model wrote no JSON: the caller shows its words as they are.
    return undefined;
  }
}

/** Content as one text: images and files are named in brackets. */
export function formatContent(content: readonly Part[]): string {
  return content.map(formatPart).join(" ");
}

function formatPart(part: Part): string {
  if (part.type === "text" || part.type === "reasoning") return part.text;
  return part.type === "image" ? "[image]" : `[file ${part.filename ?? part.mediaType ?? ""}]`;
}

import { styleText } from "node:util";
import type { Part } from "../message/parts.ts";
import { isPlainObject } from "../base/util/json.ts";
import { escapeUnits, exactText } from "../base/util/exact-text.ts";
import { cutToWidth } from "./width.ts";

/** A style or several, as `styleText` of `node:util` names them. */
export type Style = Parameters<typeof styleText>[0];

/** Where text goes, and how it may look there. */
export interface Screen {
  write(text: string): void;
  /** Colours the text where the terminal can show it and `NO_COLOR` is not set. */
  paint(style: Style, text: string): string;
  /** How many columns a line has. */
  readonly columns: number;
  /** Whether it shows colours: text is then laid out, with its marks left away. */
  readonly isStyled?: boolean;
  /** Whether a line may be written over: it is a terminal, and nobody asked for plain text. */
  readonly isLive?: boolean;
}

/** The width assumed where output is not a terminal. */
const plainColumns = 100;

/** The narrowest line that text is cut for. */
const leastColumns = 16;

/** A screen on any stream; one with `isTTY` is taken for a terminal, unless it is to be plain. */
export function screenOn(
  output: NodeJS.WritableStream & { readonly columns?: number; readonly isTTY?: boolean },
  { plain = false }: { readonly plain?: boolean } = {},
): Screen {
  const paint = (style: Style, text: string): string =>
    plain ? text : styleText(style, text, { stream: output });
  return {
    write: (text) => void output.write(text),
    paint,
    get columns() {
      return Math.max(leastColumns, output.columns ?? plainColumns);
    },
    isStyled: paint("bold", "x") !== "x",
    isLive: output.isTTY === true && !plain,
  };
}

/**
 * Characters that drive a terminal, turn text around, end lines unseen, or cannot be seen at all; not line breaks and tabs, and not
 * those that words and emoji are joined with.
 */
const unprintable =
  /(?!\n|\t|\u034F|\u180B|\u180C|\u180D|\u200C|\u200D|\uFE0E|\uFE0F)[\p{Cc}\p{DI}\u2028\u2029\uFFF9-\uFFFB]/gu;

/** Text without the characters that could drive a terminal, turn text around or hide in it; line breaks and tabs stay. */
export function printable(text: string): string {
  return text.replaceAll(/\r\n|[\u2028\u2029]/g, "\n").replaceAll(unprintable, "");
}

/** Colours and weights as `paint` writes them, and all that could drive a terminal besides. */
const driving =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  new RegExp(String.raw`(\u001B\[(?:[0-4]|2[2-4]|3[0-79]|9[0-7])m)|${unprintable.source}`, "gu");

/** Text that may have colours, and nothing else that drives a terminal: the last thing before it is written. */
export function styledOnly(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(driving, (_, style: string | undefined) => style ?? "");
}

/** A value as JSON for people and programs: what would drive a terminal is escaped, and means the same. */
export function printableJson(value: unknown): string {
  return (JSON.stringify(value, undefined, 2) ?? "").replaceAll(unprintable, escapeUnits);
}

/** A value of JSON whose texts are `printable`: for what lays values out itself. In names of properties, the characters are escaped, so that each stays another one. */
export function printableValue(value: unknown): unknown {
  return withPrintable(value, deepestValue);
}

/** The most levels of a value that are laid out. */
const deepestValue = 100;

function withPrintable(value: unknown, depth: number): unknown {
  if (typeof value === "string") return printable(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return "[too deep]";
  if (Array.isArray(value)) return value.map((item: unknown) => withPrintable(item, depth - 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.replaceAll(unprintable, escapeUnits),
      withPrintable(member, depth - 1),
    ]),
  );
}

/** The name of a tool for a person who decides: quoted unless it is one word, so that it passes for nothing else. */
export function quoteName(name: string): string {
  return /^[\w.-]{1,64}$/.test(name) ? name : exactText(JSON.stringify(name));
}

/** Text on one line of at most `columns` columns, at least one, cut with an ellipsis. */
export function shorten(text: string, columns: number): string {
  const limit = Math.max(1, columns);
  // Looking at more than the line can show would cost as much as the value is long.
  const line = printable(text.slice(0, limit * 8))
    .replaceAll(/\s+/g, " ")
    .trim();
  return cutToWidth(text.length > limit * 8 ? `${line}…` : line, limit);
}

/** A call's arguments as a program would write them: `city: "Paris", days: 3`; what is not a JSON object stands as it is. */
export function formatArguments(raw: string): string {
  if (raw.trim() === "") return "";
  const value = parse(raw);
  if (!isPlainObject(value)) return raw;
  return Object.entries(value)
    .map(([name, argument]) => `${quoteName(name)}: ${JSON.stringify(argument)}`)
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

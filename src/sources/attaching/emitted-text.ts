import { hashOf } from "../reflection/hash.ts";
import { removeAll, stretchesByLine, type Stretch, type Stretches } from "./stretches.ts";

/** What a compiler has emitted, without what attaching has written there before. */
export interface EmittedText {
  readonly byteOrderMark: string;
  /** The code, up to the line that names the source map. */
  readonly code: string;
  /** That line, and what follows it. */
  readonly ending: string;
  /** What that line names. */
  readonly mapUrl: string | undefined;
  /** What has been put into the code before; `undefined` for a file as a compiler has written it. */
  readonly earlier: EarlierAttachment | undefined;
}

/** What a file says of the schemas that it holds. */
export interface EarlierAttachment {
  readonly stretches: Stretches;
  /** Of the source map that was written with the file; empty where there was none. */
  readonly mapHash: string;
}

/** The last line of the code: hashes of the code as it was and of the source map, and what was put in, each `start+length`. */
const markLine = /^\/\/ skein:attach (\S+) (\S+) (\S+)$/m;

const mapLine = /^\/\/[#@] sourceMappingURL=(\S+)[ \t]*$/gm;

/**
 * Reads an emitted text.
 * @returns `undefined` for a text that was changed after schemas were attached.
 */
export function readEmittedText(onDisk: string): EmittedText | undefined {
  const byteOrderMark = onDisk.startsWith("\uFEFF") ? "\uFEFF" : "";
  const text = onDisk.slice(byteOrderMark.length);
  const end = endOfCode(text);
  const ending = text.slice(end);
  const mapUrl = /^\/\/[#@] sourceMappingURL=(\S+)/.exec(ending)?.[1];
  const whole = { byteOrderMark, ending, mapUrl };
  const edited = text.slice(0, end);
  const lastLine = edited.slice(edited.lastIndexOf("\n", edited.length - 2) + 1, -1);
  const [, hash = "", mapHash = "", list = ""] = markLine.exec(lastLine) ?? [];
  if (hash === "") return markLine.test(edited) ? undefined : { ...whole, code: edited, earlier: undefined };
  const stretches = readStretches(list);
  const code = removeAll(edited, stretches);
  const last = stretches.at(-1);
  const isWhole = last !== undefined && last.start + last.length + lastLine.length + 1 === edited.length;
  if (!isWhole || hashOf(code) !== hash) return undefined;
  return {
    ...whole,
    code,
    earlier: { stretches: stretchesByLine(edited, stretches), mapHash: mapHash === "-" ? "" : mapHash },
  };
}

/** Where the line begins that names the source map; the end of a text without. */
function endOfCode(text: string): number {
  const [last] = [...text.matchAll(mapLine)].slice(-1);
  if (last === undefined) return text.length;
  // What looks like it, and has code behind it, is in a string.
  const after = text.slice(last.index + last[0].length);
  return /^(\s|\/\/[^\n]*(\n|$))*$/.test(after) ? last.index : text.length;
}

/** The line that lets the same be taken out again. */
export function writeMark(code: string, mapHash: string, stretches: readonly Stretch[]): string {
  const list = stretches.map(({ start, length }) => `${start}+${length}`).join();
  return `// skein:attach ${hashOf(code)} ${mapHash === "" ? "-" : mapHash} ${list}\n`;
}

function readStretches(list: string): readonly Stretch[] {
  return list.split(",").map((item) => {
    const [start, length] = item.split("+").map(Number);
    return { start: start ?? 0, length: length ?? 0 };
  });
}

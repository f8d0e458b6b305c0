import { isPlainObject } from "../../base/util/json.ts";
import { defineOwn } from "../../base/util/snapshot.ts";
import { fromBinary, toBinary } from "./chunks.ts";

/** A line of an answer that is JSON, or an event whose data is. */
interface Frame {
  /** What stands before and behind the JSON. */
  readonly start: string;
  readonly end: string;
  readonly value: unknown;
}

/** A text within a frame. */
interface FrameText {
  /** Texts of the same are pieces of one, over the frames. */
  readonly key: string;
  readonly line: number;
  readonly text: string;
  readonly replace: (text: string) => void;
}

/** What tells apart texts that stand at the same place of their frames. */
const ordinals = ["index", "output_index", "content_index", "item_id"];

/** How many frames are read at a time. */
const framesAtATime = 200;

/**
 * Redacts texts that a server streams in several frames, each a line of JSON: `{"delta":"sk-12"}`, `{"delta":"34"}`. A frame without
 * secrets stays as it is.
 * @param pieces - The bytes of the answer as `toBinary` writes them; a piece ends within a frame where it did so before.
 * @param redact - Redacts the pieces of one text.
 * @yields between parts of the work, so that others may have their turn.
 */
export function* redactFrames(
  pieces: readonly string[],
  redact: (texts: readonly string[]) => readonly string[],
): Generator<void, readonly string[]> {
  const lines = pieces.join("").split(/(?<=\n)/);
  const frames: (Frame | undefined)[] = [];
  const texts: FrameText[] = [];
  for (const [index, line] of lines.entries()) {
    if (index % framesAtATime === 0) yield;
    const frame = readFrame(line);
    frames.push(frame);
    if (frame) for (const text of textsIn(frame.value, index, "")) texts.push(text);
  }
  const changed = new Set<number>();
  for (const group of Map.groupBy(texts, ({ key }) => key).values()) {
    yield;
    const clean = redact(group.map(({ text }) => text));
    group.forEach(({ text, line, replace }, index) => {
      if (clean[index] === undefined || clean[index] === text) return;
      replace(clean[index]);
      changed.add(line);
    });
  }
  if (changed.size === 0) return pieces;
  const cleanLines = frames.map((frame, line) =>
    frame && changed.has(line) ? writeFrame(frame) : (lines[line] ?? ""),
  );
  return splitAlike(pieces, lines, cleanLines);
}

function readFrame(line: string): Frame | undefined {
  const [, start = "", json = "", end = ""] = /^(\s*(?:data:)?\s*)([[{].*[\]}])(\s*)$/s.exec(line) ?? [];
  try {
    if (json === "") return undefined;
    return {
      start,
      end,
      value: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(fromBinary(json))),
    };
  } catch {
    return undefined;
  }
}

function writeFrame({ start, end, value }: Frame): string {
  return start + toBinary(new TextEncoder().encode(JSON.stringify(value))) + end;
}

function textsIn(value: unknown, line: number, key: string): FrameText[] {
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) =>
      memberTexts(item, line, `${key}/${index}`, (text) => (value[index] = text)),
    );
  if (!isPlainObject(value)) return [];
  const own = ordinals.map((name) => (Object.hasOwn(value, name) ? String(value[name]) : "")).join();
  return Object.entries(value).flatMap(([name, member]) =>
    memberTexts(member, line, `${key}(${own})/${name}`, (text) => defineOwn(value, name, text)),
  );
}

function memberTexts(
  value: unknown,
  line: number,
  key: string,
  replace: (text: string) => unknown,
): FrameText[] {
  return typeof value === "string"
    ? [{ key, line, text: value, replace: (text) => void replace(text) }]
    : textsIn(value, line, key);
}

/** What is written instead of `lines`, in pieces that end where `pieces` ended. */
function splitAlike(
  pieces: readonly string[],
  lines: readonly string[],
  cleanLines: readonly string[],
): readonly string[] {
  let [line, before, after, end] = [0, 0, 0, 0];
  let from = 0;
  const whole = cleanLines.join("");
  return pieces.map((piece) => {
    end += piece.length;
    for (let length = lines[line]?.length ?? 0; line < lines.length && before + length <= end;) {
      before += length;
      after += cleanLines[line]?.length ?? 0;
      length = lines[++line]?.length ?? 0;
    }
    const to = after + Math.min(end - before, cleanLines[line]?.length ?? 0);
    const part = whole.slice(from, to);
    from = to;
    return part;
  });
}

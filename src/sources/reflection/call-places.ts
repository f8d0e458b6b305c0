import { existsSync, readFileSync } from "node:fs";
import { isMoved } from "../../base/util/attached-lines.ts";
import type { LinePosition } from "../compiler/index.ts";
import { readRawFrames, type RawFrame } from "../../base/util/frames.ts";
import { inspectScripts, positionInText, type Script } from "./inspector.ts";
import { mayBeOutdated } from "./outdated.ts";
import { keepsPositions } from "./same-positions.ts";
import { filePath, sourceLocation, type SourceLocation } from "./source-locations.ts";

/** Where a function stands among the arguments of a call, and what was captured there: see `FunctionTool.origin`. */
export interface FunctionOrigin {
  readonly calledAt: { readonly stack?: string };
  readonly path: readonly (string | number)[];
  readonly length?: number;
  /** Whether a toolkit passes it on, as one of all methods of a class: then it must be known that it is public. */
  readonly isMethod?: true;
}

/** The same, once the place is read. */
export interface PassedFunction {
  readonly file: string;
  readonly position: LinePosition;
  readonly path: readonly (string | number)[];
  readonly length: number | undefined;
  /** When the call's script was read or built, in milliseconds since 1970: what its functions are may have changed since. */
  readonly loadedAt: number;
}

/** A call as its stack shows it. */
export interface Call {
  /** Where it stands in its source, or seems to. */
  readonly place: SourceLocation;
  /** Whether something has mapped the place to the source: the stack's text, or a source map. */
  readonly isMapped: boolean;
  readonly raw: RawFrame | undefined;
}

/** The call of the function that made an error, as far as its stack shows. */
export function callOf(calledAt: Error): Call | undefined {
  const [raw] = readRawFrames(calledAt);
  return readCall(framesOf(calledAt.stack)[1], raw);
}

/** The call that passed a function on; `undefined` where the stack does not show. */
export function passingCall({ calledAt }: FunctionOrigin): Call | undefined {
  const raw = readRawFrames(calledAt);
  const frames = framesOf(calledAt.stack);
  const calls = frames.map((frame, index) => readCall(frame, raw[index]));
  return frames.length === 1 ? calls[0] : calls.find((each) => each && !isClass(each.place));
}

/** What identifies a call in a cache: another text of its script is another call. */
export function callId({ place: { position }, raw }: Call): readonly unknown[] {
  return [position, raw?.line, raw?.column, raw?.scriptHash];
}

/**
 * Where calls stand in their sources; without those whose place is not certain. Runners may run another text than the file's
 * under the file's own name: then the stack shows places of that text, where the file has other code. So a place is believed
 * if it was mapped, or if the text that runs has the file's code in the file's places, as after Node has removed the types.
 */
export async function certainPlaces(calls: Iterable<Call>): Promise<ReadonlyMap<Call, SourceLocation>> {
  const doubtful: Call[] = [];
  const places = new Map<Call, SourceLocation>();
  for (const call of calls) {
    if (!call.isMapped || mayBeOutdated(call.place)) doubtful.push(call);
    else places.set(call, call.place);
  }
  if (doubtful.length === 0) return places;
  const scripts = await inspectScripts(new Set(doubtful.flatMap(({ raw }) => raw?.scriptHash ?? [])));
  for (const call of doubtful) {
    const script = scripts.get(call.raw?.scriptHash ?? "");
    const place = script && certainPlace(call, script);
    if (place !== undefined && !isClass(place)) places.set(call, place);
  }
  return places;
}

function certainPlace({ place, isMapped, raw }: Call, script: Script): SourceLocation | undefined {
  if (raw === undefined || !existsSync(place.file)) return undefined;
  const { sourceMapUrl, text = "" } = script;
  const position = positionInText(raw, script);
  const mapped = sourceLocation({ url: raw.url, ...position, sourceMapUrl, scriptText: text });
  if (mapped?.isMapped && mapped.builtFrom !== undefined && mayBeOutdated(mapped)) return undefined;
  // The text of the source, where the map has it, says more than the time of its last change.
  if (isMapped) return mapped?.file === place.file && mapped.builtFrom !== undefined ? place : undefined;
  const callPlace = mapped?.isMapped ? mapped : place;
  if (callPlace.builtFrom === undefined && mayBeOutdated(callPlace)) return undefined;
  if (mapped?.isMapped || isOfVite(text)) return callPlace;
  return keepsPositions(text, readFileSync(place.file, "utf8"), position) ? callPlace : undefined;
}

/** Vite's module runner maps the stacks of what it runs, and keeps the source maps to itself. */
function isOfVite(text: string): boolean {
  return /\b__vite_ssr_\w+__/.test(text);
}

/** A class that inherits its constructor passes on what it gets: its frame stands at the class itself. */
function isClass({ file, position }: SourceLocation): boolean {
  if (position === undefined || !existsSync(file)) return false;
  const line = readFileSync(file, "utf8").split("\n")[position.line] ?? "";
  return /^class\b/.test(line.slice(position.column));
}

function framesOf(stack = ""): readonly string[] {
  return stack.split("\n").filter((line) => /^\s+at /.test(line));
}

/** Reads a line such as `    at main (file:///app/main.ts:3:14)`. */
function readCall(frame: string | undefined, raw: RawFrame | undefined): Call | undefined {
  const [, url, row, column] = /(?:\(|at (?:async )?)([^()]+):(\d+):(\d+)\)?$/.exec(frame ?? "") ?? [];
  const position = { line: Number(row) - 1, column: Number(column) - 1 };
  const file = url === undefined ? undefined : filePath(url);
  if (url === undefined || file === undefined) return undefined;
  // Nobody knows which call of the file stands there.
  if (isMoved(file, position)) return undefined;
  const itself = { file, script: file, position, isMapped: false, builtFrom: undefined };
  if ("Deno" in globalThis || (raw !== undefined && isElsewhere(raw, file, position)))
    return { place: itself, isMapped: true, raw };
  const place = raw && sourceLocation({ url, ...position, sourceMapUrl: undefined, scriptText: undefined });
  return place?.isMapped ? { place, isMapped: true, raw } : { place: itself, isMapped: false, raw };
}

/** Whether the text of a stack shows another place than the engine. */
function isElsewhere(raw: RawFrame, file: string, { line, column }: LinePosition): boolean {
  return raw.line !== line || raw.column !== column || filePath(raw.url) !== file;
}

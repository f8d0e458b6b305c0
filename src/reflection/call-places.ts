import { existsSync, readFileSync } from "node:fs";
import type { LinePosition } from "../compiler/index.ts";
import { mayBeOutdated } from "./outdated.ts";
import { sourceLocation, type SourceLocation } from "./source-locations.ts";

/** Where a function stands among the arguments of a call, and what was captured there: see `FunctionTool.origin`. */
export interface FunctionOrigin {
  readonly calledAt: { readonly stack?: string };
  readonly path: readonly (string | number)[];
  readonly length?: number;
}

/** The same, once the place is read. */
export interface PassedFunction {
  readonly file: string;
  readonly position: LinePosition;
  readonly path: readonly (string | number)[];
  readonly length: number | undefined;
}

/**
 * Where the caller of the function that made an error is written, as far as its stack tells. A place in a TypeScript file is
 * taken as it is: whoever runs such files writes stacks of them. One in JavaScript is looked up in its source map.
 */
export function callerOf({ stack = "" }: Error): SourceLocation | undefined {
  return placeOfFrame(framesOf(stack)[1]);
}

/** Where a function was passed on; `undefined` where the stack does not tell, or the file has changed since it was loaded. */
export function passedFunction(origin: FunctionOrigin): PassedFunction | undefined {
  const frames = framesOf(origin.calledAt.stack ?? "");
  const places = frames.map(placeOfFrame);
  const place = frames.length === 1 ? places[0] : places.find((each) => each && !isClass(each));
  if (place?.position === undefined || mayBeOutdated(place)) return undefined;
  return { file: place.file, position: place.position, path: origin.path, length: origin.length };
}

/** A class that inherits its constructor passes on what it gets: its frame stands at the class itself. */
function isClass({ file, position }: SourceLocation): boolean {
  if (position === undefined || !existsSync(file)) return false;
  const line = readFileSync(file, "utf8").split("\n")[position.line] ?? "";
  return /^class\b/.test(line.slice(position.column));
}

function framesOf(stack: string): readonly string[] {
  return stack.split("\n").filter((line) => /^\s+at /.test(line));
}

/** Such as `    at main (file:///app/main.ts:3:14)`. */
function placeOfFrame(frame: string | undefined): SourceLocation | undefined {
  const [, url, row, column] = /(?:\(|at (?:async )?)([^()]+):(\d+):(\d+)\)?$/.exec(frame ?? "") ?? [];
  const position = { line: Number(row) - 1, column: Number(column) - 1 };
  const location = { url, ...position, sourceMapUrl: undefined, scriptText: undefined };
  const place = sourceLocation(location);
  return place && /\.[cm]?tsx?$/.test(place.script) ? { ...place, file: place.script, position } : place;
}

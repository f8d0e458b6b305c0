import { sourceLocation, type SourceLocation } from "./source-locations.ts";

/**
 * Where the caller of the function that made an error is written, as far as its stack tells. A place in a TypeScript file is
 * taken as it is: whoever runs such files writes stacks of them. One in JavaScript is looked up in its source map.
 */
export function callerOf({ stack = "" }: Error): SourceLocation | undefined {
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
  // Such as `    at main (file:///app/main.ts:3:14)`.
  const [, url, row, column] = /(?:\(|at (?:async )?)([^()]+):(\d+):(\d+)\)?$/.exec(frames[1] ?? "") ?? [];
  const position = { line: Number(row) - 1, column: Number(column) - 1 };
  const location = { url, ...position, sourceMapUrl: undefined, scriptText: undefined };
  const place = sourceLocation(location);
  return place && /\.[cm]?tsx?$/.test(place.script) ? { ...place, file: place.script, position } : place;
}

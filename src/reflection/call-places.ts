import { sourceLocation, type SourceLocation } from "./source-locations.ts";

/** A frame of a stack: where, both counted from 1. */
interface Frame {
  readonly url: string;
  readonly line: number;
  readonly column: number;
}

/**
 * Where the caller of the function that made an error may be written: as whoever prepares stack traces here maps it (vitest
 * does), and as source maps that Node knows say. The likelier place first.
 */
export function callPlaces(error: Error): readonly SourceLocation[] {
  const { stack, caller } = readStack(error);
  const told = frameOf(stack.split("\n").filter((line) => /^\s+at /.test(line))[1] ?? "");
  const asItRuns = caller ?? told;
  const places = [told && placeOf(told, false), asItRuns && placeOf(asItRuns, true)];
  return places.filter((place) => place !== undefined);
}

/** V8 writes a stack when it is first read: until then, its frames can be had as they are. */
function readStack(error: Error): { readonly stack: string; readonly caller: Frame | undefined } {
  const before: unknown = Reflect.get(Error, "prepareStackTrace");
  let caller: Frame | undefined;
  try {
    Error.prepareStackTrace = (subject, sites) => {
      const [, site] = sites;
      const url = site?.getFileName();
      if (site && url) caller = { url, line: site.getLineNumber() ?? 0, column: site.getColumnNumber() ?? 0 };
      return typeof before === "function" ? Reflect.apply(before, Error, [subject, sites]) : "";
    };
    return { stack: String(error.stack), caller };
  } finally {
    if (before === undefined) Reflect.deleteProperty(Error, "prepareStackTrace");
    else Reflect.set(Error, "prepareStackTrace", before);
  }
}

/** Such as `    at main (file:///app/main.ts:3:14)`. */
function frameOf(line: string): Frame | undefined {
  const [, url, row, column] = /(?:\(|at (?:async )?)([^()]+):(\d+):(\d+)\)?$/.exec(line) ?? [];
  return url === undefined ? undefined : { url, line: Number(row), column: Number(column) };
}

function placeOf({ url, line, column }: Frame, isMapped: boolean): SourceLocation | undefined {
  const location = {
    url,
    line: line - 1,
    column: column - 1,
    sourceMapUrl: undefined,
    scriptText: undefined,
  };
  const place = sourceLocation(location);
  if (isMapped || place === undefined) return place;
  return { ...place, file: place.script, position: { line: line - 1, column: column - 1 }, isMapped: false };
}

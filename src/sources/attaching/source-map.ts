import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import {
  decodedMappings,
  encodedMap,
  encodedMappings,
  FlattenMap,
  presortedDecodedMap,
  type SourceMapSegment,
} from "@jridgewell/trace-mapping";
import { hashOf } from "../reflection/hash.ts";
import { isPlainObject } from "../../base/util/json.ts";
import { moveColumn, returnColumn, type Stretches } from "./stretches.ts";
import type { Positions } from "./place-by-map.ts";

/** A file from which code was emitted. */
export interface MappedSource {
  /** An absolute path; `undefined` for one that is not on disk. */
  readonly path: string | undefined;
  /** Its text when the code was emitted; `undefined` where the map does not hold it. */
  readonly content: string | undefined;
  /** Where a place of it is in the emitted code. */
  readonly positions: Positions;
}

/** The source map of an emitted file. */
export interface EmittedMap {
  /** The path of its file; `undefined` where it stands within the emitted file. */
  readonly path: string | undefined;
  /** A hash of its text as it is on disk. */
  readonly hash: string;
  /** The files from which the code was emitted. */
  readonly sources: readonly MappedSource[];
  /** Whether Skein's own code is among the sources. */
  readonly holdsSkein: boolean;
  /** The map as JSON once texts are put into the code. */
  moved(stretches: Stretches): string;
}

type Mappings = readonly (readonly SourceMapSegment[])[];

/**
 * Reads the source map that an emitted file names.
 * @param earlier - What is in the file on disk, but not in the code that was emitted: the map refers to the file.
 * @returns `undefined` where there is none.
 * @throws Error for a map that cannot be read.
 */
export function readSourceMap(file: string, mapUrl: string, earlier: Stretches): EmittedMap | undefined {
  const path = mapUrl.startsWith("data:") ? undefined : pathOf(mapUrl, dirname(file));
  const text = mapUrl.startsWith("data:") ? readDataUrl(mapUrl) : path && readText(path);
  if (text === undefined) return undefined;
  const parsed = parseMap(text);
  const flat = new FlattenMap(text.replace(unsafePrefix, ""));
  const mappings = mapColumns(decodedMappings(flat), (line, column) => returnColumn(earlier, line, column));
  const positions = createPositions(mappings);
  const base = dirname(path ?? file);
  const sources = flat.sources.map((source, index) => ({
    path: source === null ? undefined : sourcePath(source, resolve(base, flat.sourceRoot ?? "")),
    content: flat.sourcesContent?.[index] ?? undefined,
    positions: positions(index),
  }));
  return {
    path,
    hash: hashOf(text),
    sources,
    holdsSkein: flat.sources.some((source) => /\/skein\/(dist|src)\//.test(source ?? "")),
    moved(stretches) {
      const moved = mapColumns(mappings, (line, column) => moveColumn(stretches, line, column));
      const fields = "sections" in parsed ? encodedMap(flat) : parsed;
      return JSON.stringify({ ...fields, mappings: encode(moved) });
    },
  };
}

/** A line that keeps a map from being run as a script. */
const unsafePrefix = /^\)\]\}'[^\n]*\n/;

function parseMap(text: string): Readonly<Record<string, unknown>> {
  const parsed: unknown = JSON.parse(text.replace(unsafePrefix, ""));
  if (isPlainObject(parsed)) return parsed;
  throw new TypeError("it is not a JSON object");
}

function encode(mappings: Mappings): string {
  const lines = mappings.map((line) => [...line]);
  return encodedMappings(presortedDecodedMap({ version: 3, names: [], sources: [], mappings: lines }));
}

function mapColumns(mappings: Mappings, move: (line: number, column: number) => number): Mappings {
  return mappings.map((segments, line) =>
    segments.map((segment): SourceMapSegment => {
      const column = move(line, segment[0]);
      if (segment.length === 1) return [column];
      const [, source, sourceLine, sourceColumn, name] = segment;
      return name === undefined
        ? [column, source, sourceLine, sourceColumn]
        : [column, source, sourceLine, sourceColumn, name];
    }),
  );
}

/** Looks mappings up by the place in the source: exactly, as the next one may belong to something else. */
function createPositions(mappings: Mappings): (source: number) => Positions {
  let byPlace: Map<string, [number, number][]> | undefined;
  function index(): Map<string, [number, number][]> {
    const places = new Map<string, [number, number][]>();
    for (const [line, segments] of mappings.entries()) {
      for (const segment of segments) {
        if (segment.length === 1) continue;
        const key = segment.slice(1, 4).join();
        const others = places.get(key);
        if (others === undefined) places.set(key, [[line, segment[0]]]);
        else others.push([line, segment[0]]);
      }
    }
    return places;
  }
  return (source) => (line, column) => (byPlace ??= index()).get(`${source},${line},${column}`) ?? [];
}

/** The path of a source on disk; `undefined` for one that is not there. */
function sourcePath(source: string, base: string): string | undefined {
  const candidates = [source, decode(source)].flatMap((name) => pathOf(name, base) ?? []);
  return candidates.find((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}

function pathOf(url: string, base: string): string | undefined {
  if (url.startsWith("file:")) return URL.canParse(url) ? fileURLToPath(url) : undefined;
  // One letter before a colon is a drive.
  return /^[a-z][a-z0-9+.-]+:/i.test(url) ? undefined : resolve(base, url);
}

function decode(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    // A percent sign of its own: the name is not encoded.
    return text;
  }
}

function readText(path: string): string | undefined {
  for (const name of [path, decode(path)]) {
    if (statSync(name, { throwIfNoEntry: false })?.isFile()) return readFileSync(name, "utf8");
  }
  return undefined;
}

const dataUrl = /^data:[^,]*?(;base64)?,(.*)$/s;

function readDataUrl(url: string): string {
  const [, isBase64, data = ""] = dataUrl.exec(url) ?? [];
  return isBase64 === undefined ? decodeURIComponent(data) : Buffer.from(data, "base64").toString();
}

/** A map as a line of an emitted file names it. */
export function writeDataUrl(json: string): string {
  return `data:application/json;charset=utf-8;base64,${Buffer.from(json).toString("base64")}`;
}

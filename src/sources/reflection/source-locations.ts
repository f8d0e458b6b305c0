import { existsSync, readFileSync } from "node:fs";
import { findSourceMap, SourceMap, type SourceMapPayload } from "node:module";
import { dirname, isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isMoved } from "../../base/util/attached-lines.ts";
import type { LinePosition } from "../compiler/index.ts";
import type { RuntimeLocation } from "./inspector.ts";

/** A place in a source file that its author wrote. */
export interface SourceLocation {
  readonly file: string;
  /** The file that runs: the same, unless the program was built. */
  readonly script: string;
  /** `undefined` where only the file is known. */
  readonly position: LinePosition | undefined;
  /** Whether a source map gave the place; else the script is taken for its own source. */
  readonly isMapped: boolean;
  /** The text of `file` when the script was made of it, if its source map has it. */
  readonly builtFrom: string | undefined;
}

/** Maps a place in a running script to its source; `undefined` for a script that is not a file. */
export function sourceLocation(location: RuntimeLocation): SourceLocation | undefined {
  const { url, line, column, sourceMapUrl } = location;
  const script = url === undefined ? undefined : filePath(url);
  if (url === undefined || script === undefined) return undefined;
  const map = findSourceMap(url) ?? findSourceMap(script) ?? knownSourceMap(script, sourceMapUrl);
  const itself = { file: script, script, isMapped: false, builtFrom: undefined };
  if (map === undefined) return { ...itself, position: { line, column } };
  const entry = map.findEntry(line, column);
  if (!("originalSource" in entry)) return { ...itself, position: undefined, isMapped: true };
  const { originalSource, originalLine, originalColumn } = entry;
  const { sources, sourceRoot } = map.payload;
  const file = originalFile(originalSource, script, sourceRoot);
  // A package may ship its maps without the sources that they speak of.
  if (!existsSync(file)) return { ...itself, position: { line, column } };
  const builtFrom = sourceText(map.payload, sources.indexOf(originalSource));
  const position = { line: originalLine, column: originalColumn };
  return {
    file,
    script,
    position: isMoved(file, position) ? undefined : position,
    isMapped: true,
    builtFrom,
  };
}

/** The sources that a script was made of, as its map names them. */
export function sourceFilesOf(url: string, sourceMapUrl: string | undefined): readonly string[] {
  const script = filePath(url);
  if (script === undefined) return [];
  const map = findSourceMap(url) ?? findSourceMap(script) ?? knownSourceMap(script, sourceMapUrl);
  const { sources = [], sourceRoot } = map?.payload ?? {};
  return sources.map((source) => originalFile(source, script, sourceRoot));
}

/** Many maps have no texts, whatever Node's types say. */
function sourceText(payload: SourceMapPayload, index: number): string | undefined {
  const texts: unknown = payload.sourcesContent;
  const text: unknown = Array.isArray(texts) ? texts[index] : undefined;
  return typeof text === "string" ? text : undefined;
}

const maps = new Map<string, SourceMap | undefined>();

/** A script that runs has one map, which may be large. */
function knownSourceMap(script: string, sourceMapUrl: string | undefined): SourceMap | undefined {
  const key = `${script} ${sourceMapUrl ?? ""}`;
  if (!maps.has(key)) maps.set(key, readSourceMap(script, sourceMapUrl));
  return maps.get(key);
}

/** The map that a script names, if Node has not read it. V8 reports the name only when debugged; else a built file does. */
function readSourceMap(script: string, sourceMapUrl: string | undefined): SourceMap | undefined {
  const name =
    sourceMapUrl || (/\.[cm]?js$/.test(script) ? namedSourceMap(readText(script) ?? "") : undefined);
  const text = name === undefined ? undefined : sourceMapText(script, name);
  if (text === undefined) return undefined;
  const payload: SourceMapPayload = JSON.parse(text);
  return new SourceMap(payload);
}

/** The last `sourceMappingURL` comment of a script's text. */
function namedSourceMap(text: string): string | undefined {
  const start = text.lastIndexOf("//# sourceMappingURL=");
  return start < 0 ? undefined : /=(\S+)/.exec(text.slice(start))?.[1];
}

/** A `sourceMappingURL` is a `data:` URL or a path beside the script. */
function sourceMapText(script: string, sourceMapUrl: string): string | undefined {
  const inline = /^data:[^,]*?(;base64)?,(.*)$/s.exec(sourceMapUrl);
  if (inline === null) return readText(resolve(dirname(script), filePath(sourceMapUrl) ?? sourceMapUrl));
  const [, encoding, data = ""] = inline;
  return encoding === undefined ? decodeURIComponent(data) : Buffer.from(data, "base64").toString("utf8");
}

/** `undefined` for a file that is not there. */
function readText(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function originalFile(source: string, script: string, sourceRoot: string | undefined): string {
  return filePath(source) ?? resolve(dirname(script), sourceRoot ?? "", source);
}

/** The absolute path behind a `file:` URL or a path, without a query; `undefined` for anything else. */
export function filePath(url: string): string | undefined {
  const plain = url.replace(/[?#].*$/, "");
  if (plain.startsWith("file:")) return fileURLToPath(plain);
  return isAbsolute(plain) ? plain : undefined;
}

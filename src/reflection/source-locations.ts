import { readFileSync } from "node:fs";
import { findSourceMap, SourceMap, type SourceMapPayload } from "node:module";
import { dirname, isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { LinePosition } from "../compiler/index.ts";
import type { RuntimeLocation } from "./inspector.ts";

/** A place in a source file that its author wrote. */
export interface SourceLocation {
  readonly file: string;
  /** `undefined` where only the file is known. */
  readonly position: LinePosition | undefined;
  /** Whether a source map gave the place; else the script is taken for its own source. */
  readonly isMapped: boolean;
}

/** Maps a place in a running script to its source; `undefined` for a script that is no file. */
export function sourceLocation(location: RuntimeLocation): SourceLocation | undefined {
  const { url, line, column, sourceMapUrl } = location;
  const script = url === undefined ? undefined : filePath(url);
  if (url === undefined || script === undefined) return undefined;
  const map = sourceMap(url, script, sourceMapUrl);
  if (map === undefined) return { file: script, position: { line, column }, isMapped: false };
  const entry = map.findEntry(line, column);
  if (!("originalSource" in entry)) return { file: script, position: undefined, isMapped: true };
  const { originalSource, originalLine, originalColumn } = entry;
  return {
    file: originalFile(originalSource, script, map.payload.sourceRoot),
    position: { line: originalLine, column: originalColumn },
    isMapped: true,
  };
}

function sourceMap(url: string, script: string, sourceMapUrl: string | undefined): SourceMap | undefined {
  const known = findSourceMap(url) ?? findSourceMap(script);
  if (known !== undefined || sourceMapUrl === undefined || sourceMapUrl === "") return known;
  const text = sourceMapText(script, sourceMapUrl);
  if (text === undefined) return undefined;
  const payload: SourceMapPayload = JSON.parse(text);
  return new SourceMap(payload);
}

/** A `sourceMappingURL` is a `data:` URL or a path beside the script. */
function sourceMapText(script: string, sourceMapUrl: string): string | undefined {
  const inline = /^data:[^,]*?(;base64)?,(.*)$/s.exec(sourceMapUrl);
  if (inline !== null) {
    const [, encoding, data = ""] = inline;
    return encoding === undefined ? decodeURIComponent(data) : Buffer.from(data, "base64").toString("utf8");
  }
  try {
    return readFileSync(resolve(dirname(script), filePath(sourceMapUrl) ?? sourceMapUrl), "utf8");
  } catch {
    // A map that is not there is no map: the script itself may be the source.
    return undefined;
  }
}

function originalFile(source: string, script: string, sourceRoot: string | undefined): string {
  const path = filePath(source);
  return path ?? resolve(dirname(script), sourceRoot ?? "", source);
}

/** The absolute path behind a `file:` URL or a path, without a query; `undefined` for anything else. */
function filePath(url: string): string | undefined {
  const plain = url.replace(/[?#].*$/, "");
  if (plain.startsWith("file:")) return fileURLToPath(plain);
  return isAbsolute(plain) ? plain : undefined;
}

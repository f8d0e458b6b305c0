import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readEmittedText, type EmittedText } from "./emitted-text.ts";
import { readSourceMap, type EmittedMap } from "./source-map.ts";
import { noStretches } from "./stretches.ts";
import { errorMessage } from "../../base/util/error-message.ts";

/** An emitted file, without what was attached to it before. */
export interface EmittedFile extends EmittedText {
  /** An absolute path. */
  readonly path: string;
  /** As it is on disk. */
  readonly bytes: Uint8Array;
  readonly map: EmittedMap | undefined;
}

/** The scripts in a folder, packages and declarations left out. Links are not followed: what they lead to is elsewhere. */
export function listScripts(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === "node_modules" ? [] : listScripts(path);
      return entry.isFile() && /\.[cm]?jsx?$/.test(entry.name) ? [path] : [];
    });
}

/** Reads an emitted file and its source map. The reason where that cannot be. */
export function readEmitted(path: string, bytes: Uint8Array = readFileSync(path)): EmittedFile | string {
  const onDisk = Buffer.from(bytes).toString("utf8");
  const text = readEmittedText(onDisk);
  if (text === undefined) return "it was changed after schemas were attached to it. Build it again";
  const map = readMap(path, text);
  if (typeof map === "string") return map;
  const mapHash = text.earlier?.mapHash;
  if (mapHash !== undefined && map !== undefined && map.hash !== mapHash)
    return "its source map was changed after schemas were attached to it. Build it again";
  return { ...text, path, bytes, map };
}

function readMap(path: string, { mapUrl, earlier }: EmittedText): EmittedMap | undefined | string {
  if (mapUrl === undefined) return undefined;
  try {
    return readSourceMap(path, mapUrl, earlier?.stretches ?? noStretches);
  } catch (error) {
    return `its source map cannot be read (${errorMessage(error)}). Build it again`;
  }
}

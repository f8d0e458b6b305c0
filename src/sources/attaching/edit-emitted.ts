import type { UseSite } from "../compiler/index.ts";
import { schemaInsertions, type ModuleFormat } from "../plugin/edit.ts";
import { hashOf } from "../reflection/hash.ts";
import type { EmittedFile } from "./emitted-files.ts";
import { writeMark } from "./emitted-text.ts";
import { writeDataUrl } from "./source-map.ts";
import { insertAll, stretchesByLine } from "./stretches.ts";

/** An emitted file as it is to be written. */
export interface EditedFile {
  readonly path: string;
  readonly text: string;
  /** The source map, where it is a file of its own. */
  readonly map: { readonly path: string; readonly text: string } | undefined;
}

/** Writes schemas into an emitted file. Without sites, what it was before. */
export function editEmitted(file: EmittedFile, sites: readonly UseSite[], format: ModuleFormat): EditedFile {
  const { path, code, byteOrderMark, ending, mapUrl, map } = file;
  const insertions = sites.length === 0 ? [] : schemaInsertions({ text: code, sites }, format);
  const { text, stretches } = insertAll(code, insertions);
  const mapText = map?.moved(stretchesByLine(text, stretches));
  const mapHash = mapText === undefined ? "" : hashOf(mapText);
  const mark = sites.length === 0 ? "" : writeMark(code, mapHash, stretches);
  const isInline = mapText !== undefined && map?.path === undefined && mapUrl !== undefined;
  const newEnding = isInline ? ending.replace(mapUrl, () => writeDataUrl(mapText)) : ending;
  return {
    path,
    text: byteOrderMark + text + mark + newEnding,
    map: mapText === undefined || map?.path === undefined ? undefined : { path: map.path, text: mapText },
  };
}

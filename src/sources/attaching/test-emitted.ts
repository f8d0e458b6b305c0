import { readFile, writeFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { basename } from "node:path";
import { mkdir } from "node:fs/promises";
import { madeUpProgram, type MadeUpProgram } from "../compiler/test-use-sites.ts";
import { attachFolder, type AttachReport } from "./attach-folder.ts";

/** A program with its sources in `src` and what was emitted from them in `dist`. */
export interface EmittedProgram extends MadeUpProgram {
  /** Emits a source, with a source map or without. */
  emit(name: string, map?: "inline" | "none"): Promise<void>;
  /** Writes a file of `dist`. */
  place(name: string, text: string): Promise<void>;
  /** A file of `dist`. */
  emitted(name: string): Promise<string>;
  attach(): Promise<AttachReport>;
}

/** Makes a program of sources by their names. */
export async function emittedProgram(sources: Readonly<Record<string, string>>): Promise<EmittedProgram> {
  const files = Object.entries(sources).map(([name, text]) => [`src/${name}`, text]);
  const program = await madeUpProgram(Object.fromEntries(files));
  await mkdir(program.path("dist"), { recursive: true });
  const target = (name: string): string => program.path(`dist/${name}`);
  return {
    ...program,
    async emit(name, map = "inline") {
      const text = await readFile(program.path(`src/${name}`), "utf8");
      const sourceUrl = `../src/${basename(name)}`;
      const code =
        map === "inline"
          ? stripTypeScriptTypes(text, { mode: "transform", sourceMap: true, sourceUrl })
          : stripTypeScriptTypes(text);
      await writeFile(target(name.replace(/ts$/, "js")), code);
    },
    place: (name, text) => writeFile(target(name), text),
    emitted: (name) => readFile(target(name), "utf8"),
    attach: () => attachFolder(program.path("dist")),
  };
}

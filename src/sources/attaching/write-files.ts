import { chmodSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { EditedFile } from "./edit-emitted.ts";

/** Writes edited files and their maps, those that differ from what is on disk. Each is the old one or the new one, never half. */
export function writeFiles(files: readonly EditedFile[]): void {
  for (const { path, text, map } of files) {
    // The file first: it says which map belongs to it, so that an old one beside it is noticed.
    replaceFile(path, text);
    if (map !== undefined) replaceFile(map.path, map.text);
  }
}

function replaceFile(path: string, text: string): void {
  if (readFileSync(path, "utf8") === text) return;
  const temporary = `${path}.${process.pid}.skein`;
  try {
    writeFileSync(temporary, text, { flag: "wx" });
    chmodSync(temporary, statSync(path).mode);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

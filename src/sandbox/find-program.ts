import { accessSync, constants } from "node:fs";
import { isAbsolute, join } from "node:path";

/** A program on PATH. What a relative folder has depends on where the process is, so it does not count. */
export function findProgram(name: string): string | undefined {
  return (process.env["PATH"] ?? "")
    .split(":")
    .filter(isAbsolute)
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

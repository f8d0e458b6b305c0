import { hasInvisible } from "../../../base/util/clean-text.ts";
import { MemoryError } from "./errors.ts";

/** The folder that all files are in. */
export const rootPath = "/memories";

/** The longest path, the longest name in it, in characters, and the most names. */
const longestPath = 250;
const longestName = 100;
const mostNames = 8;

/** What a name may not have: separators and wildcards of file systems, and a percent sign with what it may stand for. */
const unsafe = /[\\<>:"|?*]|%[0-9a-f]{2}/i;

/**
 * The path of a file or folder, as a model writes it, without a slash at its end.
 * @throws MemoryError for one that is not within `/memories`, or could lead elsewhere in some store.
 */
export function readPath(raw: string): string {
  const path = raw.normalize("NFC").replace(/(?<=.)\/$/, "");
  if (path === rootPath) return path;
  const names = path.startsWith(`${rootPath}/`) ? path.slice(rootPath.length + 1).split("/") : [];
  if (path.length > longestPath || names.length === 0 || names.length > mostNames || !names.every(isName))
    throw new MemoryError(
      `Error: Invalid path ${JSON.stringify(raw.slice(0, longestPath))}. Write one like ${rootPath}/notes/tone.md: ` +
        `within ${rootPath}, at most ${mostNames} names of letters, digits, spaces and -_.,()'+@#, none of which begins with a dot.`,
    );
  return path;
}

/**
 * The path of a file.
 * @throws MemoryError as `readPath` does, and for the folder of all memories.
 */
export function readFilePath(raw: string): string {
  const path = readPath(raw);
  if (path === rootPath) throw new MemoryError(`Error: ${rootPath} is the folder of all memories.`);
  return path;
}

function isName(name: string): boolean {
  return (
    name !== "" &&
    name.length <= longestName &&
    !name.startsWith(".") &&
    name.trim() === name &&
    !name.endsWith(".") &&
    name.isWellFormed() &&
    !unsafe.test(name) &&
    !/\s/.test(name.replaceAll(" ", "")) &&
    !hasInvisible(name)
  );
}

/** Whether a path is a folder's or in it. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

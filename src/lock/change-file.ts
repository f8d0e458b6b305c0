import { randomUUID } from "node:crypto";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { ignoreFailure } from "../base/util/ignore-failure.ts";

/** The last change of each file. */
const changes = new Map<string, Promise<void>>();

/** The text of a file; `undefined` if there is none. */
export async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Changes the text of a file, or begins one. Changes of one process follow each other, and other readers meanwhile find
 * all of a text, the old or the new.
 * @param mode who may read and write it, as in Unix; by default what the process says of all of its files.
 * @throws whatever `change` throws; the system's error.
 */
export async function changeFile(
  path: string,
  change: (before: string | undefined) => string,
  mode: number = 0o666,
): Promise<void> {
  const write = async (): Promise<void> => {
    const text = change(await readText(path));
    const draft = `${path}.${randomUUID()}`;
    try {
      await writeFile(draft, text, { mode, flag: "wx" });
      await rename(draft, path);
    } catch (error) {
      await ignoreFailure(() => rm(draft, { force: true }));
      throw error;
    }
  };
  const mine = (changes.get(path) ?? Promise.resolve()).then(write, write);
  changes.set(path, mine);
  try {
    await mine;
  } finally {
    if (changes.get(path) === mine) changes.delete(path);
  }
}

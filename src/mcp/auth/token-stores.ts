import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { ConfigurationError } from "../../errors.ts";
import { isPlainObject } from "../../util/json.ts";
import type { TokenStore } from "./types.ts";

/** Keeps tokens for as long as this process runs. */
export function memoryTokens(): TokenStore {
  const kept = new Map<string, string>();
  return { get: (key) => kept.get(key), set: (key, value) => void kept.set(key, value) };
}

/**
 * Keeps tokens in a JSON file that only its owner may read (mode 0600, in a folder of mode 0700 if that is made). Several
 * stores of one process may name the same file.
 */
export function fileTokens(path: string): TokenStore {
  return {
    get: async (key) => (await readTokens(path)).get(key),
    set: (key, value) => inTurn(path, () => writeToken(path, key, value)),
  };
}

/** The last write of each file: one reads what the one before has written. */
const writes = new Map<string, Promise<void>>();

async function inTurn(path: string, write: () => Promise<void>): Promise<void> {
  const before = writes.get(path) ?? Promise.resolve();
  const mine = before.then(write, write);
  writes.set(path, mine);
  try {
    await mine;
  } finally {
    if (writes.get(path) === mine) writes.delete(path);
  }
}

async function writeToken(path: string, key: string, value: string): Promise<void> {
  const tokens = await readTokens(path);
  tokens.set(key, value);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  // A file of its own at first, so that a reader never sees half of one, and none of its bytes with another mode.
  const draft = `${path}.${randomUUID()}`;
  try {
    const text = `${JSON.stringify(Object.fromEntries(tokens), undefined, 2)}\n`;
    await writeFile(draft, text, { mode: 0o600, flag: "wx" });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function readTokens(path: string): Promise<Map<string, string>> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return new Map();
    throw error;
  }
  const value = parse(text);
  // Not the words of the parser: they quote the file.
  if (!isPlainObject(value))
    throw new ConfigurationError(
      `${path} holds no tokens: remove it, and servers ask for permission again.`,
      {
        code: "token-file",
      },
    );
  return new Map(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

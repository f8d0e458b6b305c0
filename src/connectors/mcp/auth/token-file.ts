import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { ConfigurationError } from "../../../errors.ts";
import { changeFile, readText } from "../../../lock/change-file.ts";
import { isPlainObject } from "../../../base/util/json.ts";

/**
 * What a file of tokens holds.
 * @throws ConfigurationError (`token-file`) for a file of another kind.
 */
export async function readTokens(path: string): Promise<ReadonlyMap<string, string>> {
  return tokensOf(await readText(path), path);
}

/**
 * Puts a token into a file of tokens that only its owner may read.
 * @throws ConfigurationError (`token-file`) for a file of another kind.
 */
export async function writeToken(path: string, key: string, value: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const put = (text: string | undefined): string => {
    const tokens = tokensOf(text, path).set(key, value);
    return `${JSON.stringify(Object.fromEntries(tokens), undefined, 2)}\n`;
  };
  await changeFile(path, put, 0o600);
}

function tokensOf(text: string | undefined, path: string): Map<string, string> {
  const value = text === undefined ? {} : parse(text);
  // Not the words of the parser: they quote the file.
  if (!isPlainObject(value))
    throw new ConfigurationError(
      `${path} holds no tokens: remove it, and servers ask for permission again.`,
      {
        code: "token-file",
      },
    );
  const entries = Object.entries(value);
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

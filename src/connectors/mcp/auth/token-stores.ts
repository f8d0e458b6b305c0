import { absolutePath } from "../../../base/util/absolute-path.ts";
import type * as tokenFile from "./token-file.ts";
import type { TokenStore } from "./types.ts";

/** Keeps tokens for as long as this process runs. */
export function memoryTokens(): TokenStore {
  const tokens = new Map<string, string>();
  return { get: (key) => tokens.get(key), set: (key, value) => void tokens.set(key, value) };
}

/**
 * Keeps tokens in a JSON file that only its owner may read (mode 0600, in a folder of mode 0700 if that is made). Several
 * stores of one process may name the same file.
 */
export function fileTokens(path: string): TokenStore {
  const place = absolutePath(path);
  const file = (): Promise<typeof tokenFile> => import("./token-file.ts");
  return {
    get: async (key) => (await (await file()).readTokens(place)).get(key),
    set: async (key, value) => (await file()).writeToken(place, key, value),
  };
}

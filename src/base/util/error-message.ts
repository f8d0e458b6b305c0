import { ignoreRejections } from "./dropped-promises.ts";
import { redactKeys } from "./redact-keys.ts";

/** The words of anything that was thrown, an `Error` or not. Never throws itself, nor does a promise that was thrown. */
export function errorMessage(thrown: unknown): string {
  ignoreRejections(thrown);
  try {
    if (thrown instanceof Promise) return "a promise was thrown";
    // Nothing holds a program to types here: either may be a symbol.
    const words: unknown = thrown instanceof Error ? thrown.message || thrown.name : thrown;
    if (thrown instanceof Error || typeof words === "string") return String(words);
    const json = JSON.stringify(thrown) as string | undefined;
    return json ?? String(thrown);
  } catch {
    return "something that cannot be shown";
  }
}

/** The same without what looks like a key: for models, events, logs and whatever is stored. */
export function safeMessage(thrown: unknown): string {
  return redactKeys(errorMessage(thrown));
}

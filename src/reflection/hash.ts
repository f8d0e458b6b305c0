import { createHash } from "node:crypto";

/** A short name for a text: another text has another. */
export function hashOf(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("base64url");
}

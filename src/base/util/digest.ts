import { builtinModule } from "./builtin-module.ts";

/**
 * SHA-256 of a text, or its HMAC-SHA256 where there is a secret, in hexadecimal digits. Node's own hash is used where it
 * is there: Web Crypto answers from other threads, and what several calls do next would be in an order of chance.
 */
export async function digest(text: string, secret?: string): Promise<string> {
  const node = builtinModule("node:crypto");
  if (node === undefined) return digestOfWebCrypto(text, secret);
  const hash = secret === undefined ? node.createHash("sha256") : node.createHmac("sha256", secret);
  return hash.update(text, "utf8").digest("hex");
}

async function digestOfWebCrypto(text: string, secret: string | undefined): Promise<string> {
  const encoder = new TextEncoder();
  const bytes = encoder.encode(text);
  if (secret === undefined) return hexadecimal(await crypto.subtle.digest("SHA-256", bytes));
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  return hexadecimal(await crypto.subtle.sign("HMAC", key, bytes));
}

/** Whether two texts are the same, in a time that does not depend on how much of them matches. */
export function sameDigest(left: string, right: string): boolean {
  let difference = left.length ^ right.length;
  for (let index = 0; index < left.length; index++)
    difference |= left.charCodeAt(index) ^ right.charCodeAt(index);
  return difference === 0;
}

function hexadecimal(buffer: ArrayBuffer): string {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

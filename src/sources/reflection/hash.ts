// Not by `import`: that reads every export of the module, and some load more.
const { createHash } = process.getBuiltinModule("node:crypto");

/** A short name for a text or a file: 128 bits of its SHA-256. It says whether something has changed. */
export function hashOf(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

import { isPlainObject } from "./json.ts";

/**
 * What no reader sees, and a model reads all the same: control characters, changes of direction, fillers, invisible tags, and
 * joiners or variation selectors that follow each other, which no writing needs.
 */
const invisible =
  // oxlint-disable-next-line no-control-regex -- they are what is to be removed
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u115F\u1160\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF0-\uFFFB\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}]|\u034F|[\u17B4\u17B5]|[\u180B-\u180F]|[\u200C\u200D]{2,}|[\uFE00-\uFE0F]{2,}/gu;

/** Whether a text has characters that no reader sees. */
export function hasInvisible(text: string): boolean {
  return text.search(invisible) >= 0;
}

/** Whether a JSON value has such characters anywhere, names of members included. */
export function hasInvisibleWithin(value: unknown): boolean {
  if (typeof value === "string") return hasInvisible(value);
  if (Array.isArray(value)) return value.some(hasInvisibleWithin);
  return (
    isPlainObject(value) &&
    Object.entries(value).some(([key, member]) => hasInvisible(key) || hasInvisibleWithin(member))
  );
}

/** A text without characters that no reader sees. */
export function withoutInvisible(text: string): string {
  return text.replaceAll(invisible, "");
}

/** A text of a server without invisible characters, cut to `limit` characters. */
export function cleanText(text: string, limit: number): string {
  // Cut first: what is thrown away need not be read.
  const clean = withoutInvisible(text.slice(0, limit * 2));
  return clean.length > limit || text.length > limit * 2 ? `${clean.slice(0, limit - 1).trimEnd()}…` : clean;
}

/** A name of a server: one line of what can be seen. */
export function cleanName(name: string, limit = 128): string {
  return cleanText(name, limit).replaceAll(/\s+/g, " ").trim();
}

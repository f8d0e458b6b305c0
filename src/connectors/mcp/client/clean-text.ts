/** What no reader sees, and a model reads all the same: control characters, changes of direction, invisible tags. */
const invisible =
  // oxlint-disable-next-line no-control-regex -- they are what is to be removed
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu;

/** A text of a server without invisible characters, cut to `limit` characters. */
export function cleanText(text: string, limit: number): string {
  // Cut first: what is thrown away need not be read.
  const clean = text.slice(0, limit * 2).replaceAll(invisible, "");
  return clean.length > limit || text.length > limit * 2 ? `${clean.slice(0, limit - 1).trimEnd()}…` : clean;
}

/** A name of a server: one line of what can be seen. */
export function cleanName(name: string, limit = 128): string {
  return cleanText(name, limit).replaceAll(/\s+/g, " ").trim();
}

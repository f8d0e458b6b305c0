import { SandboxError } from "./errors.ts";

/** What to write for an escape that extended regular expressions do not have, outside of a set and in one. */
const instead: Readonly<Record<string, readonly [outside: string, inSet: string]>> = {
  d: ["[0-9]", "0-9"],
  D: ["[^0-9]", "0-9 in a set that begins with ^"],
  w: ["\\w", "[:alnum:]_"],
  W: ["\\W", "[:alnum:]_ in a set that begins with ^"],
  s: ["\\s", "[:space:]"],
  S: ["\\S", "[:space:] in a set that begins with ^"],
  t: ["the tab itself, or [[:blank:]]", "the tab itself, or [:blank:]"],
  n: [
    "a pattern of one line: lines are searched one by one",
    "a set without it: lines are searched one by one",
  ],
  r: ["[[:space:]]", "[:space:]"],
};

/** Escapes of letters and digits that GNU's grep has, outside of a set. */
const escapes = /^[wWsSbB1-9]$/;

/** An escape, a group of another kind, a set (with classes in it), or any other character. */
const part = /\\([^])|(\(\?)|(\[\^?\]?(?:\[[:.=].*?[:.=]\]|[^\]])*\])|[^]/gu;

/**
 * Checks that a pattern means to grep what it would mean elsewhere: grep takes what it does not know for something else, and finds nothing.
 * @throws SandboxError that says what to write.
 */
export function assertExtended(pattern: string): void {
  for (const [, escaped, group, set] of pattern.matchAll(part)) {
    if (escaped !== undefined && /\w/.test(escaped) && !escapes.test(escaped))
      throw unsupported(`\\${escaped}`, instead[escaped]?.[0] ?? "the character itself");
    if (group !== undefined) throw unsupported("(?", "( for a group, and ignoreCase for its flag");
    if (set !== undefined) assertSet(set);
  }
}

/** In a set, a backslash is one of the characters. */
function assertSet(set: string): void {
  const inner = set.slice(1, -1);
  if (/(?<!\\)(?:\\\\)*\\$/.test(inner)) throw unsupported(`\\] in ${set}`, "] as the first one of the set");
  const letter = /(?<!\\)(?:\\\\)*\\([A-Za-z])/.exec(inner)?.[1];
  if (letter !== undefined)
    throw unsupported(`\\${letter} in ${set}`, instead[letter]?.[1] ?? "the character itself");
}

function unsupported(construct: string, words: string): SandboxError {
  return new SandboxError(
    `pattern has ${construct}, which a POSIX extended regular expression does not have. Write ${words}.`,
  );
}

/** What does not look like what it is: controls, joiners, spaces other than the usual one, halves of characters. */
const deceptive = /(?! )[\p{Cc}\p{Cf}\p{DI}\p{Z}\p{Cs}\u2800\uFFF9-\uFFFB]/gu;

/** JSON, or text for one who decides about it: each character can be seen, as itself or as JSON escapes it. */
export function exactText(json: string): string {
  return json.replaceAll(deceptive, escapeUnits);
}

/** A character as JSON escapes it, both halves if it has two. */
export function escapeUnits(character: string): string {
  return Array.from(
    { length: character.length },
    (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, "0")}`,
  ).join("");
}

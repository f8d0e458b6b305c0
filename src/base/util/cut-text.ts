/**
 * Head and tail of a text that is longer than `limit` characters, about two to one, with a line between that says how
 * much was left out. `how` is put in that line: what to do about it. No character is cut in half.
 */
export function cutText(text: string, limit: number, how?: (from: number) => string): string {
  if (text.length <= limit) return text;
  const from = boundary(text, Math.ceil((limit * 2) / 3));
  const to = boundary(text, text.length - (limit - from));
  return `${text.slice(0, from)}\n[${to - from} of ${text.length} characters left out${how?.(from) ?? ""}]\n${text.slice(to)}`;
}

/** The place itself, or the one behind it where it would part the two halves of a character. */
export function boundary(text: string, place: number): number {
  const code = text.charCodeAt(place);
  return code >= 0xdc00 && code <= 0xdfff && place > 0 ? place + 1 : place;
}

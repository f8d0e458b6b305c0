/**
 * A path as a list has it, a line each: what would break the line, or turn its text around, is escaped as in JSON, so that a model can write
 * it back.
 */
export function visiblePath(path: string): string {
  return path.replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, (character) =>
    character === "\n" ? "\\n" : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A name in lower case with `_` between its words: letters and digits of every script stay. */
export function slug(name: string): string {
  return (
    name
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, "_")
      .replaceAll(/^_+|_+$/g, "") || "agent"
  );
}

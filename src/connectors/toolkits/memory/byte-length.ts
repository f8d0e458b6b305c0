const encoder = new TextEncoder();

/** The length of a text in UTF-8. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}

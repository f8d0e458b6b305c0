/**
 * A short name for a text: another text has another, but for one chance in 2^64. It says whether something has changed,
 * and protects from nobody. Node's own hashes would cost more than all else, as their module takes 6 ms to load.
 */
export function hashOf(text: string | Uint8Array): string {
  const bytes = typeof text === "string" ? Buffer.from(text) : text;
  // Four bytes at a time: at the start of a program, this runs before it is compiled.
  const words = new Int32Array(Math.ceil(bytes.length / 4));
  new Uint8Array(words.buffer).set(bytes);
  let first = bytes.length;
  let second = 0;
  // Two sums that turn at different speeds: what two texts have in common in the one, they do not have in the other.
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? 0;
    first = Math.imul(((first << 5) | (first >>> 27)) ^ word, 0x9e3779b1);
    second = Math.imul(((second << 13) | (second >>> 19)) + word, 0x85ebca6b);
  }
  return [bytes.length, first >>> 0, second >>> 0].map((number) => number.toString(36)).join("-");
}

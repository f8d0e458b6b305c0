/** Bytes in base64. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  // In pieces: the number of arguments of a call is limited.
  for (let from = 0; from < bytes.length; from += 8_192)
    binary += String.fromCharCode(...bytes.subarray(from, from + 8_192));
  return btoa(binary);
}

/** Whether a text is base64 of one byte at least. */
export function isBase64(text: string): boolean {
  try {
    return atob(text) !== "";
  } catch {
    return false;
  }
}

/** The bytes that base64 stands for; `undefined` for a text that is none. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  let binary: string;
  try {
    binary = atob(text);
  } catch {
    return undefined;
  }
  // Not by `Uint8Array.from`, which takes ten times as long: files have megabytes.
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}

/** Bytes in base64. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  // In pieces: the number of arguments of a call is limited.
  for (let from = 0; from < bytes.length; from += 8_192)
    binary += String.fromCharCode(...bytes.subarray(from, from + 8_192));
  return btoa(binary);
}

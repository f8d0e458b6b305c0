import type { RecordedChunk } from "./format.ts";

/** Bytes as a string of as many characters, so that what is looked for in text can be looked for in bytes. */
export function toBinary(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

/** The bytes of such a string. */
export function fromBinary(binary: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/** A piece as it is written down: as text if it is some on its own. */
export function encodeChunk(bytes: Uint8Array): RecordedChunk {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return { base64: btoa(toBinary(bytes)) };
  }
}

/** The bytes of a piece that was written down. */
export function decodeChunk(chunk: RecordedChunk): Uint8Array<ArrayBuffer> {
  return typeof chunk === "string" ? new TextEncoder().encode(chunk) : fromBinary(atob(chunk.base64));
}

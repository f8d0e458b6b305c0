import { documentError } from "./problem.ts";
import { type NetworkPolicy, readBytes, send } from "./network.ts";

/** The longest document, in bytes. */
const longestDocument = 64 * 1024 * 1024;

/** How long a document may take to come, in milliseconds. */
const patience = 60_000;

/**
 * The text at an `http:`, `https:` or `file:` address.
 * @throws ConfigurationError (`invalid-openapi`) if it cannot be read or is longer than 64 MB.
 */
export async function readSource(address: string, policy: NetworkPolicy): Promise<string> {
  const source = nameOf(address);
  try {
    const bytes = address.startsWith("file:")
      ? await readFile(new URL(address))
      : await download(address, policy);
    return new TextDecoder().decode(bytes);
  } catch (error) {
    throw documentError(
      source,
      `cannot be read: ${error instanceof Error ? error.message : "unknown"}.`,
      error,
    );
  }
}

/** An address without its query and user, which may be secret. */
export function nameOf(address: string): string {
  const url = URL.parse(address);
  if (!url) return address;
  return url.protocol === "file:" ? decodeURIComponent(url.pathname) : `${url.origin}${url.pathname}`;
}

async function download(address: string, policy: NetworkPolicy): Promise<Uint8Array> {
  const headers = new Headers({ accept: "application/json, application/yaml;q=0.9, */*;q=0.8" });
  const signal = AbortSignal.timeout(patience);
  // Any public address will do: `send` itself refuses private ones.
  const response = await send(address, { headers, signal }, policy, () => true);
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`the server answered ${response.status}`);
  }
  const { bytes, isWhole } = await readBytes(response, longestDocument);
  if (!isWhole) throw new Error(`it is longer than ${longestDocument} bytes`);
  return bytes;
}

async function readFile(address: URL): Promise<Uint8Array> {
  const files = globalThis.process?.getBuiltinModule?.("node:fs/promises");
  if (!files) throw new Error("this runtime has no files. Pass an address, or the document itself");
  const { size } = await files.stat(address);
  if (size > longestDocument) throw new Error(`it is longer than ${longestDocument} bytes`);
  return files.readFile(address);
}

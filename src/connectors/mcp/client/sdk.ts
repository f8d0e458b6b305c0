import type * as sdk from "@modelcontextprotocol/client";
import { missingPackage } from "../../../base/options/missing-package.ts";

/** The official SDK's client. */
export type Sdk = typeof sdk;

let loaded: Promise<Sdk> | undefined;

/**
 * Loads the official SDK, once.
 * @throws ConfigurationError (code `"missing-package"`) if it is not installed.
 */
export function loadSdk(): Promise<Sdk> {
  loaded ??= load();
  // What failed once may succeed later, so failures are not remembered.
  loaded.catch(() => (loaded = undefined));
  return loaded;
}

async function load(): Promise<Sdk> {
  try {
    return await import("@modelcontextprotocol/client");
  } catch (cause) {
    throw missingPackage("mcp() needs", "@modelcontextprotocol/client", cause);
  }
}

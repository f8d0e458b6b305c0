import type * as NodeAdapter from "@modelcontextprotocol/node";
import type * as ServerSdk from "@modelcontextprotocol/server";
import type * as Stdio from "@modelcontextprotocol/server/stdio";
import { missingPackage } from "../../../base/options/missing-package.ts";

/** The official SDK for servers. */
export type Sdk = typeof ServerSdk;

const need = "Serving MCP needs";

/**
 * Loads the official SDK for servers.
 * @throws ConfigurationError (`missing-package`) if it is not installed.
 */
export async function loadSdk(): Promise<Sdk> {
  try {
    return await import("@modelcontextprotocol/server");
  } catch (cause) {
    throw missingPackage(need, "@modelcontextprotocol/server", cause);
  }
}

/** Loads what the SDK has for standard input and output. */
export async function loadStdio(): Promise<typeof Stdio> {
  try {
    return await import("@modelcontextprotocol/server/stdio");
  } catch (cause) {
    throw missingPackage(need, "@modelcontextprotocol/server", cause);
  }
}

/** Loads the SDK's adapter for `node:http`. */
export async function loadNodeAdapter(): Promise<typeof NodeAdapter> {
  const name = "@modelcontextprotocol/node";
  try {
    return await import("@modelcontextprotocol/node");
  } catch (cause) {
    throw missingPackage(need, name, cause, `${name} @modelcontextprotocol/server`);
  }
}

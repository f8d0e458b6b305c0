import type * as ServerSdk from "@modelcontextprotocol/server";
import { ConfigurationError } from "../../../errors.ts";

/** The official SDK for servers. */
export type Sdk = typeof ServerSdk;

/**
 * Loads the official SDK for servers.
 * @throws ConfigurationError (`missing-package`) if it is not installed.
 */
export function loadSdk(): Promise<Sdk> {
  return import("@modelcontextprotocol/server").catch((cause: unknown) => {
    throw missingPackage("@modelcontextprotocol/server", cause);
  });
}

/** The error for a package that serving takes and that cannot be loaded; `others` are needed beside it. */
export function missingPackage(name: string, cause: unknown, others = ""): ConfigurationError {
  return new ConfigurationError(`Serving MCP needs the package ${name}: npm install ${name}${others}`, {
    code: "missing-package",
    data: { package: name },
    cause,
  });
}

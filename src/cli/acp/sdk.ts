import type * as sdk from "@agentclientprotocol/sdk";
import { missingPackage } from "../../base/options/missing-package.ts";

/** The official SDK of the Agent Client Protocol. */
export type AcpSdk = typeof sdk;

/**
 * Loads the official SDK.
 * @throws ConfigurationError (code `"missing-package"`) if it is not installed.
 */
export async function loadAcpSdk(): Promise<AcpSdk> {
  try {
    return await import("@agentclientprotocol/sdk");
  } catch (cause) {
    throw missingPackage("skein acp needs", "@agentclientprotocol/sdk", cause);
  }
}

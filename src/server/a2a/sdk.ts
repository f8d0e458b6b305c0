import type * as A2a from "@a2a-js/sdk";
import type * as A2aErrors from "@a2a-js/sdk/errors";
import type * as A2aServer from "@a2a-js/sdk/server";
import { missingPackage } from "../../base/options/missing-package.ts";

/** What is used of the protocol's official SDK: an optional peer, loaded with the first request. */
export interface Sdk {
  readonly a2a: typeof A2a;
  readonly errors: typeof A2aErrors;
  readonly server: typeof A2aServer;
}

/** @throws ConfigurationError (`missing-package`) */
export async function loadSdk(): Promise<Sdk> {
  try {
    // One after the other: bundlers forgive an absent package only where `try` stands right around each import.
    const a2a = await import("@a2a-js/sdk");
    const errors = await import("@a2a-js/sdk/errors");
    const server = await import("@a2a-js/sdk/server");
    return { a2a, errors, server };
  } catch (cause) {
    throw missingPackage("The protocol a2a needs", "@a2a-js/sdk", cause);
  }
}

import type * as sdk from "@restatedev/restate-sdk";
import { missingPackage } from "../../base/options/missing-package.ts";

/** The package `@restatedev/restate-sdk`. */
export type Sdk = typeof sdk;

/** @throws ConfigurationError (`missing-package`) */
export async function loadSdk(): Promise<Sdk> {
  try {
    return await import("@restatedev/restate-sdk");
  } catch (cause) {
    throw missingPackage("restateRuns() needs", "@restatedev/restate-sdk", cause);
  }
}

import type * as sdk from "@restatedev/restate-sdk";
import { ConfigurationError } from "../../errors.ts";

/** The package `@restatedev/restate-sdk`. */
export type Sdk = typeof sdk;

/** @throws ConfigurationError (`missing-package`) */
export async function loadSdk(): Promise<Sdk> {
  // A name that bundlers cannot follow: the program has the package itself.
  const name = "@restatedev/restate-sdk";
  return await import(/* @vite-ignore */ /* webpackIgnore: true */ name).catch((cause: unknown) => {
    throw new ConfigurationError(`restateRuns() needs the package ${name}: npm install ${name}`, {
      code: "missing-package",
      data: { package: name },
      cause,
    });
  });
}

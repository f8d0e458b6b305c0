import type * as sdk from "@modelcontextprotocol/client";
import type * as stdio from "@modelcontextprotocol/client/stdio";
import { ConfigurationError } from "../../../errors.ts";

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
  // Named apart from the import, so that bundlers leave it to the one who has it.
  const name = "@modelcontextprotocol/client";
  try {
    return await import(/* @vite-ignore */ /* webpackIgnore: true */ name);
  } catch (error) {
    throw new ConfigurationError(`mcp() needs the package ${name}: npm install ${name}`, {
      code: "missing-package",
      data: { package: name },
      cause: error,
    });
  }
}

/** Loads what the SDK has for programs. */
export async function loadStdio(): Promise<typeof stdio> {
  const name = "@modelcontextprotocol/client/stdio";
  return import(/* @vite-ignore */ /* webpackIgnore: true */ name);
}

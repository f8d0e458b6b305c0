import type * as Api from "@opentelemetry/api";
import { ConfigurationError } from "../errors.ts";

/** OpenTelemetry's API: without an SDK that the program has registered, its spans and metrics are none. */
export type OpenTelemetry = typeof Api;

let loaded: OpenTelemetry | undefined;

/** The API, once it is loaded. */
export function loadedApi(): OpenTelemetry | undefined {
  return loaded;
}

/**
 * Loads the API, once.
 * @throws ConfigurationError (`missing-package`) if it is not installed.
 */
export async function loadApi(): Promise<OpenTelemetry> {
  // Named apart from the import, so that bundlers leave it to the one who has it.
  const name = "@opentelemetry/api";
  try {
    return (loaded ??= await importApi(name));
  } catch (error) {
    throw new ConfigurationError(`skein/tracing needs the package ${name}: npm install ${name}`, {
      code: "missing-package",
      data: { package: name },
      cause: error,
    });
  }
}

async function importApi(name: string): Promise<OpenTelemetry> {
  return import(/* @vite-ignore */ /* webpackIgnore: true */ name);
}

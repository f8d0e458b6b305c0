import type * as refParser from "@apidevtools/json-schema-ref-parser";
import type * as upgrader from "@scalar/openapi-upgrader";
import { ConfigurationError } from "../../errors.ts";

/** @throws ConfigurationError (`missing-package`) where the package is not installed. */
export async function loadRefParser(): Promise<typeof refParser> {
  const name = "@apidevtools/json-schema-ref-parser";
  // A name that bundlers cannot follow: applications that read neither YAML nor several files need not install the package.
  return await import(/* @vite-ignore */ /* webpackIgnore: true */ name).catch(
    missing(name, "YAML, and documents of several files,"),
  );
}

/** @throws ConfigurationError (`missing-package`) where the package is not installed. */
export async function loadUpgrader(): Promise<typeof upgrader> {
  const name = "@scalar/openapi-upgrader";
  return await import(/* @vite-ignore */ /* webpackIgnore: true */ name).catch(
    missing(name, "Swagger 2.0 and OpenAPI 3.0"),
  );
}

function missing(name: string, what: string): (cause: unknown) => never {
  return (cause) => {
    throw new ConfigurationError(`${what} need the package ${name}: npm install ${name}`, {
      code: "missing-package",
      data: { package: name },
      cause,
    });
  };
}

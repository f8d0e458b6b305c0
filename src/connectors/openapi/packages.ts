import type * as refParser from "@apidevtools/json-schema-ref-parser";
import type * as upgrader from "@scalar/openapi-upgrader";
import { missingPackage } from "../../base/options/missing-package.ts";

/** @throws ConfigurationError (`missing-package`) where the package is not installed. */
export async function loadRefParser(): Promise<typeof refParser> {
  try {
    return await import("@apidevtools/json-schema-ref-parser");
  } catch (cause) {
    const need = "YAML, and documents of several files, need";
    throw missingPackage(need, "@apidevtools/json-schema-ref-parser", cause);
  }
}

/** @throws ConfigurationError (`missing-package`) where the package is not installed. */
export async function loadUpgrader(): Promise<typeof upgrader> {
  try {
    return await import("@scalar/openapi-upgrader");
  } catch (cause) {
    throw missingPackage("Swagger 2.0 and OpenAPI 3.0 need", "@scalar/openapi-upgrader", cause);
  }
}

import { invalidOption } from "../../base/options/known-options.ts";
import type { Tool, Toolset } from "../../tool/types.ts";
import type { LoadedApi } from "./load-api.ts";
import type { OpenApiSource } from "./load-document.ts";
import { assertOptions, type OpenApiOptions } from "./options.ts";
import type { OpenApiReport } from "./types.ts";

/** The operations of an API as tools. */
export interface OpenApiToolset extends Toolset {
  tools(): Promise<readonly Tool[]>;
  /** Describes how the document was converted: its tools, what was omitted and why. */
  report(): Promise<OpenApiReport>;
}

/**
 * The operations of an API that is described by OpenAPI 3.0 or 3.1 or by Swagger 2.0, as tools. The document is read when the
 * tools are first listed; one that could not be read is tried again the next time.
 * ```ts
 * const pets = openapi("https://petstore.example/openapi.yaml", { auth: { api_key: process.env.PETS_KEY } });
 * const agent = new Agent({ name: "Vet", tools: [pets] });
 * ```
 * Requests go to the document's servers or `baseUrl` only. Every method but GET, HEAD and OPTIONS requires a person's approval, unless
 * `approval` says otherwise. YAML and documents of several files need the package `@apidevtools/json-schema-ref-parser`,
 * Swagger 2.0 and OpenAPI 3.0 need `@scalar/openapi-upgrader`.
 * @param source a file, an address, the JSON or YAML text, or the document itself.
 * @throws ConfigurationError for invalid options. `tools()` and `report()` reject with one for a document that
 * cannot be used (`invalid-openapi`) or a package that is not installed (`missing-package`).
 */
export function openapi(source: OpenApiSource, options: OpenApiOptions = {}): OpenApiToolset {
  if (source === "" || (typeof source !== "string" && (typeof source !== "object" || source === null))) {
    throw invalidOption(
      "openapi() takes a file, an address, JSON or YAML text, or the document itself first.",
      {
        option: "source",
      },
    );
  }
  assertOptions(options);
  let loaded: Promise<LoadedApi> | undefined;
  const load = (): Promise<LoadedApi> => {
    loaded ??= import("./load-api.ts")
      .then(({ loadApi }) => loadApi(source, options))
      .catch((error: unknown) => {
        loaded = undefined;
        throw error;
      });
    return loaded;
  };
  return {
    name: options.name ?? "openapi",
    tools: async () => (await load()).tools,
    report: async () => (await load()).report,
  };
}

import { invalidOption } from "../../base/options/known-options.ts";
import type { HostedTool } from "../../model/hosted-tool.ts";
import { assertWholeNumber, hostedFields, hostedTool } from "../kit/hosted-tools.ts";

/** A tool that Google executes. */
export type GoogleTool = HostedTool<"google">;

/** Options of `google.tools.googleSearch`. */
export interface GoogleSearchOptions {
  /** What to search for; `["web"]` by default. Images are for models that draw. */
  readonly searchTypes?: readonly ("web" | "image")[];
  /** Only pages of this time, as in `{ startTime: "2026-01-01T00:00:00Z", endTime: "2026-07-01T00:00:00Z" }`. */
  readonly timeRange?: { readonly startTime: string; readonly endTime: string };
}

/** Options of `google.tools.fileSearch`. */
export interface GoogleFileSearchOptions {
  /** The stores to search, such as `["fileSearchStores/handbook"]`. */
  readonly fileSearchStoreNames: readonly string[];
  /** Which documents count, in the syntax of https://google.aip.dev/160. */
  readonly metadataFilter?: string;
  /** How many passages to find. */
  readonly topK?: number;
}

/** The tools that Google executes, for `providerTools` of `google()`. */
export interface GoogleTools {
  /**
   * Searches the web (https://ai.google.dev/gemini-api/docs/google-search). Each search, or each request, is charged.
   * @throws ConfigurationError for an unknown option.
   */
  googleSearch(options?: GoogleSearchOptions): GoogleTool;
  /** Reads web pages whose addresses are in the conversation (https://ai.google.dev/gemini-api/docs/url-context). */
  urlContext(): GoogleTool;
  /** Runs Python (https://ai.google.dev/gemini-api/docs/code-execution). */
  codeExecution(): GoogleTool;
  /** Looks up places (https://ai.google.dev/gemini-api/docs/maps-grounding). Each request is charged. */
  googleMaps(): GoogleTool;
  /**
   * Searches documents of file search stores (https://ai.google.dev/gemini-api/docs/file-search).
   * @throws ConfigurationError for an option that the API refuses.
   */
  fileSearch(options: GoogleFileSearchOptions): GoogleTool;
}

type Fields<Options> = Readonly<Record<keyof Options, string>>;

const searchFields = {
  searchTypes: "searchTypes",
  timeRange: "timeRangeFilter",
} as const satisfies Fields<GoogleSearchOptions>;

const fileFields = {
  fileSearchStoreNames: "fileSearchStoreNames",
  metadataFilter: "metadataFilter",
  topK: "topK",
} as const satisfies Fields<GoogleFileSearchOptions>;

const provider = "google";

/** The tools that Google executes. */
export const googleTools: GoogleTools = Object.freeze({
  googleSearch(options: GoogleSearchOptions = {}): GoogleTool {
    const name = "googleSearch";
    const { searchTypes, ...fields } = hostedFields({ provider, name, fields: searchFields }, options);
    const types = options.searchTypes?.map((type) => [`${type}Search`, {}] as const) ?? [];
    return hostedTool(provider, name, {
      googleSearch: {
        ...fields,
        ...(searchTypes !== undefined && { searchTypes: Object.fromEntries(types) }),
      },
    });
  },
  urlContext: () => hostedTool(provider, "urlContext", { urlContext: {} }),
  codeExecution: () => hostedTool(provider, "codeExecution", { codeExecution: {} }),
  googleMaps: () => hostedTool(provider, "googleMaps", { googleMaps: {} }),
  fileSearch(options: GoogleFileSearchOptions = { fileSearchStoreNames: [] }): GoogleTool {
    const name = "fileSearch";
    const place = `${provider}.tools.${name}({ ... })`;
    const fields = hostedFields({ provider, name, fields: fileFields }, options);
    const { fileSearchStoreNames: stores, topK } = options;
    if (!Array.isArray(stores) || stores.length === 0)
      throw invalidOption(
        `fileSearchStoreNames of ${place} is missing. Pass the names of stores, such as ["fileSearchStores/handbook"].`,
        { option: "fileSearchStoreNames" },
      );
    assertWholeNumber("topK", topK, { place });
    return hostedTool(provider, name, { fileSearch: fields });
  },
});

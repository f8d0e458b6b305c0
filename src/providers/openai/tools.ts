import type { Tool as WireTool } from "openai/resources/responses/responses";
import { invalidOption } from "../../base/options/known-options.ts";
import type { JsonObject } from "../../base/util/json.ts";
import type { HostedTool } from "../../model/hosted-tool.ts";
import { assertDomains, assertWholeNumber, hostedFields, hostedTool } from "../kit/hosted-tools.ts";
import { isJsonObject } from "../kit/json-values.ts";

/** A tool that OpenAI executes. */
export type OpenAITool = HostedTool<"openai">;

/** Where the user is, as far as the search may know. */
export interface OpenAIUserLocation {
  readonly city?: string;
  readonly region?: string;
  /** Two letters, such as `"FR"`. */
  readonly country?: string;
  /** Such as `"Europe/Paris"`. */
  readonly timezone?: string;
}

/** Options of `openai.tools.webSearch`. */
export interface OpenAIWebSearchOptions {
  /** Only these domains and their subdomains, without `https://`. */
  readonly allowedDomains?: readonly string[];
  /** How much of the model's context the results may take; `"medium"` by default. */
  readonly searchContextSize?: "low" | "medium" | "high";
  /** The United States by default; `{}` for no place at all. */
  readonly userLocation?: OpenAIUserLocation;
  /** `false` reads only what OpenAI has stored of the web. */
  readonly externalWebAccess?: boolean;
}

/** A condition on the attributes of a file. */
export type OpenAIFileFilter =
  | {
      readonly type: "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "in" | "nin";
      readonly key: string;
      readonly value: string | number | boolean | readonly (string | number)[];
    }
  | { readonly type: "and" | "or"; readonly filters: readonly OpenAIFileFilter[] };

/** Options of `openai.tools.fileSearch`. */
export interface OpenAIFileSearchOptions {
  /** The vector stores to search, such as `["vs_1"]`. */
  readonly vectorStoreIds: readonly string[];
  /** 1 to 50. */
  readonly maxNumResults?: number;
  /** Which files count. */
  readonly filters?: OpenAIFileFilter;
  readonly rankingOptions?: {
    readonly ranker?: "auto" | "default-2024-11-15";
    /** 0 to 1: less similar results are left out. */
    readonly scoreThreshold?: number;
  };
}

/** Options of `openai.tools.codeInterpreter`. */
export interface OpenAICodeInterpreterOptions {
  /** A container that exists; a new one by default. Not together with the other options. */
  readonly container?: string;
  /** Uploaded files that the code may read, such as `["file_1"]`. */
  readonly fileIds?: readonly string[];
  readonly memoryLimit?: "1g" | "4g" | "16g" | "64g";
}

/** Options of `openai.tools.imageGeneration`. */
export interface OpenAIImageGenerationOptions {
  /** Such as `"gpt-image-2.6-sunburst"`; OpenAI's choice by default. */
  readonly model?: string;
  /** Whether to draw a new image or to change one of the conversation; the model's choice by default. */
  readonly action?: "generate" | "edit" | "auto";
  readonly quality?: "low" | "medium" | "high" | "xhigh" | "max" | "auto";
  /** Width and height, such as `"1024x1536"`. */
  readonly size?: string;
  readonly background?: "transparent" | "opaque" | "auto";
  /** `"png"` by default. */
  readonly outputFormat?: "png" | "webp" | "jpeg" | "gif" | "svg";
  /** 0 to 100; 100 by default. */
  readonly outputCompression?: number;
  readonly inputFidelity?: "high" | "low";
  readonly moderation?: "auto" | "low";
}

/** The tools that OpenAI executes, for `providerTools` of `openai.responses()`. */
export interface OpenAITools {
  /**
   * Searches the web (https://platform.openai.com/docs/guides/tools-web-search). Each search is charged.
   * @throws ConfigurationError for an option that the API refuses.
   */
  webSearch(options?: OpenAIWebSearchOptions): OpenAITool;
  /**
   * Searches files of vector stores (https://platform.openai.com/docs/guides/tools-file-search).
   * @throws ConfigurationError for an option that the API refuses.
   */
  fileSearch(options: OpenAIFileSearchOptions): OpenAITool;
  /**
   * Runs Python in a container of OpenAI's (https://platform.openai.com/docs/guides/tools-code-interpreter).
   * @throws ConfigurationError for an option that the API refuses.
   */
  codeInterpreter(options?: OpenAICodeInterpreterOptions): OpenAITool;
  /**
   * Draws images (https://platform.openai.com/docs/guides/tools-image-generation), which are image parts of the answer.
   * @throws ConfigurationError for an option that the API refuses.
   */
  imageGeneration(options?: OpenAIImageGenerationOptions): OpenAITool;
}

type Fields<Options> = Readonly<Record<keyof Options, string>>;

const searchFields = {
  allowedDomains: "filters",
  searchContextSize: "search_context_size",
  userLocation: "user_location",
  externalWebAccess: "external_web_access",
} as const satisfies Fields<OpenAIWebSearchOptions>;

const fileFields = {
  vectorStoreIds: "vector_store_ids",
  maxNumResults: "max_num_results",
  filters: "filters",
  rankingOptions: "ranking_options",
} as const satisfies Fields<OpenAIFileSearchOptions>;

const codeFields = {
  container: "container",
  fileIds: "file_ids",
  memoryLimit: "memory_limit",
} as const satisfies Fields<OpenAICodeInterpreterOptions>;

const imageFields = {
  model: "model",
  action: "action",
  quality: "quality",
  size: "size",
  background: "background",
  outputFormat: "output_format",
  outputCompression: "output_compression",
  inputFidelity: "input_fidelity",
  moderation: "moderation",
} as const satisfies Fields<OpenAIImageGenerationOptions>;

const provider = "openai";

/** The tools that OpenAI executes. */
export const openaiTools: OpenAITools = Object.freeze({
  webSearch(options: OpenAIWebSearchOptions = {}): OpenAITool {
    const name = "webSearch";
    const spec = { provider, name, fields: searchFields };
    const { filters, user_location: location, ...fields } = hostedFields(spec, options);
    assertDomains("allowedDomains", options.allowedDomains, placeOf(name));
    return hostedTool(provider, name, {
      type: "web_search" satisfies WireTool["type"],
      ...fields,
      ...(filters !== undefined && { filters: { allowed_domains: filters } }),
      ...(isJsonObject(location) && { user_location: { type: "approximate", ...location } }),
    });
  },
  fileSearch(options: OpenAIFileSearchOptions = { vectorStoreIds: [] }): OpenAITool {
    const name = "fileSearch";
    const place = placeOf(name);
    const spec = { provider, name, fields: fileFields };
    const { ranking_options: ranking, ...fields } = hostedFields(spec, options);
    const { vectorStoreIds, maxNumResults } = options;
    if (!Array.isArray(vectorStoreIds) || vectorStoreIds.length === 0)
      throw invalidOption(
        `vectorStoreIds of ${place} is missing. Pass the ids of vector stores, such as ["vs_1"].`,
        {
          option: "vectorStoreIds",
        },
      );
    assertWholeNumber("maxNumResults", maxNumResults, { place, most: 50 });
    return hostedTool(provider, name, {
      type: "file_search" satisfies WireTool["type"],
      ...fields,
      ...(isJsonObject(ranking) && { ranking_options: rankingFields(ranking) }),
    });
  },
  codeInterpreter(options: OpenAICodeInterpreterOptions = {}): OpenAITool {
    const name = "codeInterpreter";
    const spec = { provider, name, fields: codeFields };
    const { container, ...fields } = hostedFields(spec, options);
    if (container !== undefined && Object.keys(fields).length > 0)
      throw invalidOption(
        `container of ${placeOf(name)} names a container that has its files already. Leave out the other options.`,
        {
          option: "container",
        },
      );
    return hostedTool(provider, name, {
      type: "code_interpreter" satisfies WireTool["type"],
      container: container ?? { type: "auto", ...fields },
    });
  },
  imageGeneration(options: OpenAIImageGenerationOptions = {}): OpenAITool {
    const name = "imageGeneration";
    const fields = hostedFields({ provider, name, fields: imageFields }, options);
    assertWholeNumber("outputCompression", options.outputCompression, {
      place: placeOf(name),
      least: 0,
      most: 100,
    });
    return hostedTool(provider, name, { type: "image_generation" satisfies WireTool["type"], ...fields });
  },
});

function rankingFields({ scoreThreshold, ...fields }: JsonObject): JsonObject {
  return { ...fields, ...(scoreThreshold !== undefined && { score_threshold: scoreThreshold }) };
}

function placeOf(name: string): string {
  return `${provider}.tools.${name}({ ... })`;
}

import { invalidOption } from "../../base/options/known-options.ts";
import type { HostedTool } from "../../model/hosted-tool.ts";
import { isJsonObject } from "../kit/json-values.ts";
import { assertDomains, assertWholeNumber, hostedFields, hostedTool } from "../kit/hosted-tools.ts";

/** A tool that Anthropic executes. */
export type AnthropicTool = HostedTool<"anthropic">;

/** Where the user is, as far as the search may know. */
export interface AnthropicUserLocation {
  readonly city?: string;
  readonly region?: string;
  /** Two letters, such as `"FR"`. */
  readonly country?: string;
  /** Such as `"Europe/Paris"`. */
  readonly timezone?: string;
}

/** Who may call a tool: the model itself, or the code that it runs with a version of the code execution tool. */
export type AnthropicCaller =
  | "direct"
  | "code_execution_20250825"
  | "code_execution_20260120"
  | "code_execution_20260521";

/** What the searches and fetches of Anthropic have in common. */
interface WebOptions {
  /** The most uses in one request; as many as the model likes by default. */
  readonly maxUses?: number;
  /** Only these domains, without `https://`. Not together with `blockedDomains`. */
  readonly allowedDomains?: readonly string[];
  /** All domains but these. Not together with `allowedDomains`. */
  readonly blockedDomains?: readonly string[];
  /** `["direct"]` turns filtering by code off, for models that cannot run code. */
  readonly allowedCallers?: readonly AnthropicCaller[];
  /** Whether results that code has filtered are in the answer, too; `"full"` by default. From version 20260318 on. */
  readonly responseInclusion?: "full" | "excluded";
}

/** Options of `anthropic.tools.webSearch`. */
export interface AnthropicWebSearchOptions extends WebOptions {
  /**
   * The version of the tool. `"20250305"`, the default, works with all models. Later ones let Claude 4.6 and later filter results by
   * code before it reads them.
   */
  readonly version?: "20250305" | "20260209" | "20260318";
  readonly userLocation?: AnthropicUserLocation;
}

/** Options of `anthropic.tools.webFetch`. */
export interface AnthropicWebFetchOptions extends WebOptions {
  /**
   * The version of the tool. `"20250910"`, the default, works with all models. Later ones let Claude 4.6 and later filter pages by
   * code before it reads them.
   */
  readonly version?: "20250910" | "20260209" | "20260309" | "20260318";
  /** Whether the answer cites passages of the pages; `false` by default. */
  readonly citations?: boolean;
  /** The most tokens of a page that the model reads. */
  readonly maxContentTokens?: number;
  /** `false` fetches pages again that Anthropic has fetched before. From version 20260309 on. */
  readonly useCache?: boolean;
}

/** Options of `anthropic.tools.codeExecution`. */
export interface AnthropicCodeExecutionOptions {
  /**
   * The version of the tool: `"20250825"` by default (Bash and files). Later ones also let code call other tools; `"20250522"` runs
   * Python only.
   */
  readonly version?: "20250522" | "20250825" | "20260120" | "20260521";
}

/** The tools that Anthropic executes, for `providerTools` of `anthropic()`. */
export interface AnthropicTools {
  /**
   * Searches the web (https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool). Each search is charged.
   * @throws ConfigurationError for an option that the API refuses.
   */
  webSearch(options?: AnthropicWebSearchOptions): AnthropicTool;
  /**
   * Reads web pages and PDFs whose addresses are in the conversation
   * (https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-fetch-tool).
   * @throws ConfigurationError for an option that the API refuses.
   */
  webFetch(options?: AnthropicWebFetchOptions): AnthropicTool;
  /**
   * Runs commands and edits files in a container of Anthropic's
   * (https://platform.claude.com/docs/en/agents-and-tools/tool-use/code-execution-tool). Later requests go on in the same container.
   * @throws ConfigurationError for an unknown option.
   */
  codeExecution(options?: AnthropicCodeExecutionOptions): AnthropicTool;
}

type Fields<Options> = Readonly<Record<keyof Options, string>>;

const webFields = {
  maxUses: "max_uses",
  allowedDomains: "allowed_domains",
  blockedDomains: "blocked_domains",
  allowedCallers: "allowed_callers",
  responseInclusion: "response_inclusion",
  version: "type",
} as const;

const searchFields = {
  ...webFields,
  userLocation: "user_location",
} as const satisfies Fields<AnthropicWebSearchOptions>;

const fetchFields = {
  ...webFields,
  citations: "citations",
  maxContentTokens: "max_content_tokens",
  useCache: "use_cache",
} as const satisfies Fields<AnthropicWebFetchOptions>;

const provider = "anthropic";

/** The versions since which an option exists. */
const firstVersions = { responseInclusion: "20260318", useCache: "20260309" } as const;

/** The tools that Anthropic executes. */
export const anthropicTools: AnthropicTools = Object.freeze({
  webSearch(options: AnthropicWebSearchOptions = {}): AnthropicTool {
    const name = "webSearch";
    const {
      type: _,
      user_location: location,
      ...fields
    } = hostedFields({ provider, name, fields: searchFields }, options);
    const { version = "20250305" } = options;
    assertWeb(options, version, name);
    return hostedTool(provider, name, {
      type: `web_search_${version}`,
      name: "web_search",
      ...fields,
      ...(isJsonObject(location) && { user_location: { type: "approximate", ...location } }),
    });
  },
  webFetch(options: AnthropicWebFetchOptions = {}): AnthropicTool {
    const name = "webFetch";
    const { type: _, ...fields } = hostedFields({ provider, name, fields: fetchFields }, options);
    const { version = "20250910", citations, maxContentTokens } = options;
    assertWeb(options, version, name);
    assertWholeNumber("maxContentTokens", maxContentTokens, { place: placeOf(name) });
    return hostedTool(provider, name, {
      type: `web_fetch_${version}`,
      name: "web_fetch",
      ...fields,
      ...(citations !== undefined && { citations: { enabled: citations } }),
    });
  },
  codeExecution(options: AnthropicCodeExecutionOptions = {}): AnthropicTool {
    const name = "codeExecution";
    hostedFields({ provider, name, fields: { version: "type" } }, options);
    const { version = "20250825" } = options;
    return hostedTool(provider, name, { type: `code_execution_${version}`, name: "code_execution" });
  },
});

/** @throws ConfigurationError for what the API refuses in each of its web tools. */
function assertWeb(options: WebOptions, version: string, name: string): void {
  const place = placeOf(name);
  const { maxUses, allowedDomains, blockedDomains } = options;
  assertWholeNumber("maxUses", maxUses, { place });
  assertDomains("allowedDomains", allowedDomains, place);
  assertDomains("blockedDomains", blockedDomains, place);
  if (allowedDomains && blockedDomains)
    throw invalidOption(`${place} has allowedDomains and blockedDomains. Pass one of the two.`, {
      option: "blockedDomains",
    });
  for (const [option, first] of Object.entries(firstVersions)) {
    if (Reflect.get(options, option) === undefined || version >= first) continue;
    throw invalidOption(
      `${option} of ${place} needs a later version of the tool. Pass version: "${first}" with it.`,
      { option },
    );
  }
}

function placeOf(name: string): string {
  return `${provider}.tools.${name}({ ... })`;
}

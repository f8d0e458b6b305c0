import { assertKnownOptions } from "../../base/options/known-options.ts";
import { toolset, type WrappedToolset } from "../../tool/toolset.ts";
import type { ToolSource } from "../../tool/types.ts";
import { arxiv } from "./arxiv.ts";
import type { ServiceOptions } from "./service.ts";
import { tavily, type TavilyOptions } from "./tavily.ts";
import { wikipedia, type WikipediaOptions } from "./wikipedia.ts";

/** The options of each service; `false` leaves it out. */
export interface SearchToolsOptions extends Pick<ServiceOptions, "fetch" | "timeout"> {
  readonly arxiv?: ServiceOptions | false | undefined;
  readonly wikipedia?: WikipediaOptions | false | undefined;
  readonly tavily?: TavilyOptions | false | undefined;
}

const knownOptions = {
  fetch: true,
  timeout: true,
  arxiv: true,
  wikipedia: true,
  tavily: true,
} as const satisfies Record<keyof SearchToolsOptions, true>;

/**
 * All search tools as one set: `arxiv_search`, `wikipedia_search`, `wikipedia_summary` and `tavily_search`. `fetch` and
 * `timeout` are for those that do not say otherwise.
 * @throws ConfigurationError (`missing-variable`) without a key for Tavily, unless it is left out: `tavily: false`.
 */
export function searchTools(options: SearchToolsOptions = {}): WrappedToolset {
  assertKnownOptions(options, knownOptions, "searchTools({ ... })");
  const { fetch, timeout } = options;
  const shared = { ...(fetch && { fetch }), ...(timeout !== undefined && { timeout }) };
  const makers: readonly (readonly [
    ServiceOptions | false | undefined,
    (own: ServiceOptions) => ToolSource,
  ])[] = [
    [options.arxiv, arxiv],
    [options.wikipedia, wikipedia],
    [options.tavily, tavily],
  ];
  const sources = makers.flatMap(([own, make]) => (own === false ? [] : [make({ ...shared, ...own })]));
  return toolset(sources, "search");
}

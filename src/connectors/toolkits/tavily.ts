import { assertKeyCharacters } from "../../model/api-key.ts";
import { assertKnownOptions } from "../../base/options/known-options.ts";
import { tool } from "../../tool/define.ts";
import type { Tool } from "../../tool/types.ts";
import {
  addressOf,
  askForObject,
  keyOf,
  objectsIn,
  searchHints,
  ServiceError,
  serviceOptions,
  type ServiceOptions,
  words,
} from "./service.ts";

/** The options of requests to Tavily. */
export interface TavilyOptions extends ServiceOptions {
  /** `TAVILY_API_KEY` by default. */
  readonly apiKey?: string | undefined;
  /** `"basic"` by default; `"advanced"` finds more, and costs two credits a search instead of one. */
  readonly searchDepth?: "basic" | "advanced" | undefined;
  /** Whether Tavily sums up what it found; `true` by default. */
  readonly includeAnswer?: boolean | undefined;
}

/** What the model may ask Tavily. */
export interface TavilyQuery {
  readonly query: string;
  readonly maxResults?: number;
  readonly topic?: "general" | "news" | "finance";
  readonly timeRange?: "day" | "week" | "month" | "year";
  readonly includeDomains?: readonly string[];
  readonly excludeDomains?: readonly string[];
}

/** A page that Tavily found. */
export interface TavilyHit {
  readonly title: string;
  readonly link: string;
  /** What the page says about the query. */
  readonly content: string;
  /** How well it fits, from 0 to 1. */
  readonly score?: number;
  readonly published?: string;
}

/** What Tavily found. */
export interface TavilyResult {
  /** The summary of it all. */
  readonly answer?: string;
  readonly results: readonly TavilyHit[];
}

const service = "Tavily";

const knownOptions = {
  ...serviceOptions,
  apiKey: true,
  searchDepth: true,
  includeAnswer: true,
} as const satisfies Record<keyof TavilyOptions, true>;

const domains = { type: "array", items: { type: "string", maxLength: 253 }, maxItems: 50 };

const input = {
  type: "object",
  properties: {
    query: { type: "string", minLength: 1, maxLength: 400 },
    maxResults: { type: "integer", minimum: 1, maximum: 20, default: 5 },
    topic: { type: "string", enum: ["general", "news", "finance"], default: "general" },
    timeRange: { type: "string", description: "How old it may be", enum: ["day", "week", "month", "year"] },
    includeDomains: { ...domains, description: "Only these sites, such as nature.com" },
    excludeDomains: { ...domains, description: "None of these sites" },
  },
  required: ["query"],
  additionalProperties: false,
};

const advice = {
  401: "The key in TAVILY_API_KEY, or apiKey, is not accepted.",
  432: "The plan's limit is reached.",
  433: "The limit set for paying as you go is reached.",
};

/**
 * A tool that searches the web with Tavily, `tavily_search` (https://docs.tavily.com/documentation/api-reference/endpoint/search).
 * @throws ConfigurationError (`missing-variable`) without a key, and for an option that cannot be used.
 */
export function tavily(options: TavilyOptions = {}): Tool<TavilyQuery> {
  assertKnownOptions(options, knownOptions, "tavily({ ... })");
  const { baseURL = "https://api.tavily.com", searchDepth = "basic", includeAnswer = true } = options;
  const { fetch, timeout = 30_000 } = options;
  const url = addressOf(baseURL, "/search");
  const key = keyOf(options.apiKey, "TAVILY_API_KEY", "get a key at https://app.tavily.com, or pass apiKey.");
  assertKeyCharacters(key, options.apiKey ? "apiKey" : "TAVILY_API_KEY");
  const headers = { authorization: `Bearer ${key}` };
  return tool<TavilyQuery>({
    name: "tavily_search",
    description: "Search the web. Gives what pages say about the query, with their addresses.",
    input,
    ...searchHints,
    timeout,
    retries: 2,
    execute: async (request, { signal }) => {
      const body = {
        query: request.query,
        max_results: request.maxResults ?? 5,
        topic: request.topic ?? "general",
        search_depth: searchDepth,
        include_answer: includeAnswer,
        time_range: request.timeRange,
        include_domains: request.includeDomains,
        exclude_domains: request.excludeDomains,
      };
      const answer = await askForObject({ service, url, headers, body, fetch, signal, advice });
      return resultOf(answer, body.max_results);
    },
  });
}

function resultOf({ answer, results }: Readonly<Record<string, unknown>>, maxResults: number): TavilyResult {
  if (!Array.isArray(results)) throw new ServiceError(service, "answered with JSON of another form.");
  const summary = words(answer, 5_000);
  return { ...(summary && { answer: summary }), results: objectsIn(results, maxResults).map(hitOf) };
}

function hitOf(hit: Readonly<Record<string, unknown>>): TavilyHit {
  const { score } = hit;
  const published = words(hit["published_date"], 100);
  return {
    title: words(hit["title"], 500) ?? "",
    link: words(hit["url"], 2_000) ?? "",
    content: words(hit["content"], 5_000) ?? "",
    ...(typeof score === "number" && { score }),
    ...(published && { published }),
  };
}

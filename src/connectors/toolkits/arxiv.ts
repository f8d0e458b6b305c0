import { assertKnownOptions } from "../../base/options/known-options.ts";
import { Semaphore } from "../../base/util/semaphore.ts";
import { sleep } from "../../base/util/sleep.ts";
import { tool } from "../../tool/define.ts";
import type { Tool } from "../../tool/types.ts";
import { arxivName, readFeed } from "./arxiv-feed.ts";
import { addressOf, ask, searchHints, ServiceError, serviceOptions, type ServiceOptions } from "./service.ts";

/** What the model may ask arXiv. */
export interface ArxivQuery {
  readonly query: string;
  readonly maxResults?: number;
  readonly start?: number;
  readonly sortBy?: "relevance" | "newest" | "updated";
}

const sortings = { relevance: "relevance", newest: "submittedDate", updated: "lastUpdatedDate" } as const;

const input = {
  type: "object",
  properties: {
    query: {
      type: "string",
      description:
        'Words and "phrases" that must all occur, or arXiv\'s own form with the fields ti, au, abs, cat and all: ' +
        'au:vaswani AND ti:"attention is all you need"',
      minLength: 1,
      maxLength: 1_000,
    },
    maxResults: { type: "integer", minimum: 1, maximum: 50, default: 10 },
    start: { type: "integer", description: "How many to skip", minimum: 0, maximum: 29_999, default: 0 },
    sortBy: { type: "string", enum: Object.keys(sortings), default: "relevance" },
  },
  required: ["query"],
  additionalProperties: false,
};

/** How often arXiv may be asked, in the words of a policy. */
const pace = { calls: 1, per: 3_000 };

/** What all tools of one address share, however many there are. */
class Address {
  /** The limits outside of a call's deadline, shared by the tools of one deadline. */
  readonly policies = new Map<number, Tool["policy"]>();
  readonly #semaphore = new Semaphore(1);
  #lastStart = Number.NEGATIVE_INFINITY;

  /** Sends a request when it is its turn. A rate limit does not count further attempts; this does. */
  request<T>(send: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#semaphore.run(async () => {
      for (let wait; (wait = this.#lastStart + pace.per - performance.now()) > 0;)
        await sleep(Math.ceil(wait), signal);
      this.#lastStart = performance.now();
      return send();
    }, signal);
  }
}

const addresses = new Map<string, Address>();

function addressFor(href: string): Address {
  const address = addresses.get(href) ?? new Address();
  addresses.set(href, address);
  return address;
}

/**
 * A tool that searches arXiv, `arxiv_search`: title, authors, abstract, dates, links and categories of papers. It keeps to
 * what arXiv asks of programs: one request at a time, one in three seconds, for all tools of this process together. Needs the package `@rgrove/parse-xml`.
 * @throws ConfigurationError for an option that cannot be used.
 */
export function arxiv(options: ServiceOptions = {}): Tool<ArxivQuery> {
  assertKnownOptions(options, serviceOptions, "arxiv({ ... })");
  const { baseURL = "https://export.arxiv.org", fetch, timeout = 30_000 } = options;
  const address = addressFor(addressOf(baseURL, "").href);
  const search = tool<ArxivQuery>({
    name: "arxiv_search",
    description: "Search arXiv for scientific papers, by words, authors or categories.",
    input,
    ...searchHints,
    timeout,
    retries: 2,
    serialize: true,
    rateLimit: pace,
    execute: async ({ query, maxResults = 10, start = 0, sortBy = "relevance" }, { signal }) => {
      const url = addressOf(baseURL, "/api/query", {
        search_query: searchQuery(query),
        start: String(start),
        max_results: String(maxResults),
        sortBy: sortings[sortBy],
        sortOrder: "descending",
      });
      return readFeed(
        await address.request(
          () => ask({ service: arxivName, url, fetch, signal, words: atomWords }),
          signal,
        ),
      );
    },
  });
  const policy = address.policies.get(timeout) ?? search.policy;
  address.policies.set(timeout, policy);
  return Object.freeze({ ...search, policy });
}

/** Plain words must all occur; what names fields is taken as it stands. */
function searchQuery(query: string): string {
  if (/(?:^|[\s(])(?:ti|au|abs|co|jr|cat|rn|id|all):/.test(query)) return query;
  let built = "";
  let operator = "AND";
  for (const [term] of query.matchAll(/"[^"]+"|[^\s"]+/g)) {
    const word = term.startsWith('"') ? term : term.replace(/[^\p{L}\p{N}._-]+/gu, " ").trim();
    if (/^(?:AND|OR|ANDNOT)$/.test(word)) operator = word;
    else if (word !== "") {
      built += `${built && ` ${operator} `}all:${word.includes(" ") ? `"${word.replaceAll('"', "")}"` : word}`;
      operator = "AND";
    }
  }
  if (built === "") throw new ServiceError(arxivName, "needs a query of at least one word.");
  return built;
}

/** A refusal may be a feed as well. */
function atomWords(body: string): string | undefined {
  if (!/^\s*</.test(body)) return body;
  return /<summary[^<>]*>([^<]*)<\/summary>/.exec(body.slice(0, 20_000))?.[1]?.trim();
}

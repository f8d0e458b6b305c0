import { assertKnownOptions, invalidOption } from "../../base/options/known-options.ts";
import { tool } from "../../tool/define.ts";
import { toolset, type WrappedToolset } from "../../tool/toolset.ts";
import type { Tool } from "../../tool/types.ts";
import { isPlainObject } from "../../base/util/json.ts";
import {
  addressOf,
  askForObject,
  objectsIn,
  searchHints,
  ServiceError,
  serviceHints,
  serviceOptions,
  type ServiceOptions,
  words,
} from "./service.ts";

/** Which Wikipedia to use, and how to identify the client. */
export interface WikipediaOptions extends ServiceOptions {
  /** The Wikipedia of a language, by the name in its address: `"en"` by default, `"de"`, `"simple"`, `"zh-yue"`. */
  readonly language?: string | undefined;
  /**
   * Who asks, which Wikimedia wants to know: name and version of your application, and how to reach you. See
   * https://foundation.wikimedia.org/wiki/Policy:Wikimedia_Foundation_User-Agent_Policy.
   */
  readonly userAgent?: string | undefined;
}

/** An article that a search found. */
export interface WikipediaHit {
  readonly title: string;
  readonly description?: string;
  /** The words around those that were searched. */
  readonly excerpt?: string;
  readonly link: string;
}

/** The beginning of an article. */
export interface WikipediaSummary {
  readonly title: string;
  readonly description?: string;
  /** The first paragraph, as plain text. */
  readonly summary: string;
  /** The title is one of several things, which the summary does not name. */
  readonly isAmbiguous?: true;
  readonly link: string;
  /** When the article was last changed: ISO 8601. */
  readonly updated?: string;
}

const service = "Wikipedia";

const knownOptions = { ...serviceOptions, language: true, userAgent: true } as const satisfies Record<
  keyof WikipediaOptions,
  true
>;

/** Where requests go, and with what. */
interface Connection {
  readonly baseURL: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof globalThis.fetch | undefined;
}

/**
 * Two tools: `wikipedia_search` finds articles, `wikipedia_summary` reads the beginning of one.
 * @throws ConfigurationError for an option that cannot be used.
 */
export function wikipedia(options: WikipediaOptions = {}): WrappedToolset {
  assertKnownOptions(options, knownOptions, "wikipedia({ ... })");
  const { language = "en", fetch, timeout = 30_000 } = options;
  if (!/^[a-z]{2,}(?:-[a-z]+)*$/.test(language)) {
    throw invalidOption(`language "${language}" must be the language of a Wikipedia, such as "en" or "de".`, {
      option: "language",
    });
  }
  const { baseURL = `https://${language}.wikipedia.org`, userAgent } = options;
  addressOf(baseURL, "");
  const agent = userAgent ?? "skein-toolkits (https://www.npmjs.com/package/skein)";
  const connection = { baseURL, fetch, headers: { accept: "application/json", "user-agent": agent } };
  return toolset([searchTool(connection, timeout), summaryTool(connection, timeout)], "wikipedia");
}

function searchTool({ baseURL, ...connection }: Connection, timeout: number): Tool {
  return tool<{ readonly query: string; readonly maxResults?: number }>({
    name: "wikipedia_search",
    description: "Search Wikipedia for articles. Read one with wikipedia_summary.",
    input: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1, maxLength: 300 },
        maxResults: { type: "integer", minimum: 1, maximum: 20, default: 5 },
      },
      required: ["query"],
      additionalProperties: false,
    },
    ...searchHints,
    timeout,
    retries: 2,
    execute: async ({ query, maxResults = 5 }, { signal }) => {
      const url = addressOf(baseURL, "/w/rest.php/v1/search/page", { q: query, limit: String(maxResults) });
      const { pages } = await askForObject({ ...connection, service, url, signal });
      if (!Array.isArray(pages)) throw new ServiceError(service, "answered with JSON of another form.");
      return { results: objectsIn(pages, maxResults).map((page) => hitOf(page, baseURL)) };
    },
  });
}

function summaryTool({ baseURL, ...connection }: Connection, timeout: number): Tool {
  return tool<{ readonly title: string }>({
    name: "wikipedia_summary",
    description: "Read the beginning of a Wikipedia article.",
    input: {
      type: "object",
      properties: {
        title: { type: "string", description: "Such as: Albert Einstein", minLength: 1, maxLength: 300 },
      },
      required: ["title"],
      additionalProperties: false,
    },
    ...serviceHints,
    timeout,
    retries: 2,
    execute: async ({ title }, { signal }) => {
      const missing = "has no article of that title: look for one with wikipedia_search.";
      // Addresses lose such a segment, and no article is called so.
      if (/^\s*\.{0,2}\s*$/.test(title)) throw new ServiceError(service, missing);
      const segment = encodeURIComponent(title.trim().toWellFormed().replaceAll(/\s+/g, "_"));
      const url = addressOf(baseURL, `/api/rest_v1/page/summary/${segment}`);
      const advice = { 404: `It ${missing}` };
      return summaryOf(await askForObject({ ...connection, service, url, signal, advice }), url);
    },
  });
}

function hitOf(page: Readonly<Record<string, unknown>>, baseURL: string): WikipediaHit {
  const title = words(page["title"], 300) ?? "";
  const description = words(page["description"], 500);
  const excerpt = typeof page["excerpt"] === "string" ? words(plainText(page["excerpt"]), 1_000) : undefined;
  const segment = encodeURIComponent((words(page["key"], 300) ?? title.replaceAll(" ", "_")).toWellFormed());
  return {
    title,
    ...(description && { description }),
    ...(excerpt && { excerpt }),
    link: addressOf(baseURL, `/wiki/${segment}`).href,
  };
}

function summaryOf(page: Readonly<Record<string, unknown>>, url: URL): WikipediaSummary {
  const title = words(page["title"], 300);
  const summary = words(page["extract"], 10_000);
  if (title === undefined) throw new ServiceError(service, "answered with JSON of another form.");
  const description = words(page["description"], 500);
  const updated = words(page["timestamp"], 50);
  const { desktop } = isPlainObject(page["content_urls"]) ? page["content_urls"] : {};
  const link = isPlainObject(desktop) ? words(desktop["page"], 2_000) : undefined;
  return {
    title,
    ...(description && { description }),
    summary: summary ?? "",
    ...(page["type"] === "disambiguation" && { isAmbiguous: true }),
    link: link ?? new URL(`/wiki/${encodeURIComponent(title.toWellFormed().replaceAll(" ", "_"))}`, url).href,
    ...(updated && { updated }),
  };
}

const entities: Readonly<Record<string, string>> = { quot: '"', amp: "&", lt: "<", gt: ">", nbsp: " " };

/** Excerpts mark what was searched with elements, and come with entities. */
function plainText(html: string): string {
  return html
    .slice(0, 10_000)
    .replace(/<[^<>]*>/g, "")
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi, (whole, decimal, hexadecimal, name: string) => {
      if (name !== undefined) return Object.hasOwn(entities, name) ? (entities[name] ?? whole) : whole;
      const point = decimal === undefined ? Number.parseInt(String(hexadecimal), 16) : Number(decimal);
      return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
    });
}

import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import type { SearchToolsOptions } from "skein/toolkits";

/** Something to be found: its link is made of its id. */
export interface Entry {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** What the services of this machine have, each in a few words of its own. */
export const library: Readonly<Record<ServiceName, readonly Entry[]>> = {
  arxiv: [
    entry("1706.00001v1", "Attention instead of recurrence", "A translation model built on attention alone."),
    entry(
      "1512.00002v1",
      "Deep residual networks",
      "Shortcut connections make very deep networks trainable.",
    ),
    entry(
      "2005.00003v2",
      "Large models are few-shot learners",
      "Scaling language models improves few-shot learning.",
    ),
    entry(
      "1602.00004v1",
      "Gravitational waves of merging black holes",
      "Two black holes merged, and both detectors saw the waves.",
    ),
    entry(
      "2210.00005v1",
      "Reasoning and acting with tools",
      "Language models that interleave reasoning and tool calls.",
    ),
    entry(
      "1312.00006v1",
      "Playing games by reinforcement learning",
      "A network learns to play from pixels by reinforcement.",
    ),
    entry(
      "1905.00007v1",
      "A picture of a black hole's shadow",
      "Eight telescopes made a picture of a black hole.",
    ),
    entry("2001.00008v1", "Bar-headed geese over the Himalaya", "Geese lower their metabolism in thin air."),
  ],
  wikipedia: [
    entry("Jupiter", "Jupiter", "Jupiter is the fifth planet from the Sun, and the largest."),
    entry("Bar-headed_goose", "Bar-headed goose", "The bar-headed goose flies over the Himalaya."),
    entry("V_formation", "V formation", "Flying in a V formation saves birds energy."),
    entry("Black_hole", "Black hole", "A black hole lets nothing escape, not even light."),
    entry("Transformer", "Transformer", "A transformer is a neural network built on attention."),
    entry("Photosynthesis", "Photosynthesis", "Plants turn light into sugar by photosynthesis."),
    entry("Ada_Lovelace", "Ada Lovelace", "Ada Lovelace wrote the first published program."),
    entry("Wool", "Wool", "Wool is the fibre of sheep and other mammals."),
  ],
  tavily: [
    entry("geese-arrive", "Geese arrive early", "News: this year the geese arrive ten days early."),
    entry("scarf-care", "How to wash a scarf", "Wash a wool scarf by hand, in cold water."),
    entry("node-release", "Node 24 is out", "Node 24 runs TypeScript by stripping its types."),
    entry("city-bikes", "Bikes in the city", "Copenhagen counts more bikes than cars."),
    entry("telescope", "A new telescope", "The new telescope saw first light on Monday."),
    entry("lake-ontario", "Lake Ontario", "Lake Ontario has an area of 19,000 square kilometres."),
    entry("jupiter-opposition", "Jupiter in opposition", "Jupiter is brightest in January this year."),
    entry("attention-spans", "Attention spans", "Attention spans of office workers were measured again."),
  ],
};

/** The services that there are stand-ins of. */
export type ServiceName = "arxiv" | "wikipedia" | "tavily";

/** Stand-ins of the services, and the options to search with them. */
export interface StandIn {
  readonly options: SearchToolsOptions;
  readonly close: () => void;
}

/** Where an entry of a service is found. */
export function linkOf(service: ServiceName, id: string): string {
  if (service === "arxiv") return `https://arxiv.org/abs/${id}`;
  return service === "wikipedia" ? `https://en.wikipedia.org/wiki/${id}` : `https://news.example/${id}`;
}

/** Serves the library on this machine, each service in its own form. Those that are `closed` refuse every request. */
export async function serveLibrary(closed: readonly string[] = []): Promise<StandIn> {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://library");
    const service = pathname === "/search" ? "tavily" : pathname === "/api/query" ? "arxiv" : "wikipedia";
    const send = (value: object | string): void => reply(response, 200, value);
    if (closed.includes(service)) return reply(response, 403, { error: "closed today" });
    if (service === "arxiv") return send(feedOf(found(service, searchParams.get("search_query") ?? "")));
    if (service === "tavily") return send(hitsOf(found(service, queryIn(await json(request)))));
    if (pathname.startsWith("/w/")) return send(pagesOf(found(service, searchParams.get("q") ?? "")));
    const id = decodeURIComponent(pathname.split("/").at(-1) ?? "").toLowerCase();
    const article = library.wikipedia.find((each) => each.id.toLowerCase() === id);
    reply(response, article ? 200 : 404, article ? summaryOf(article) : { title: "Not found." });
  });
  server.listen(0, "127.0.0.1").unref();
  await once(server, "listening");
  const address = server.address();
  const local = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  // Links are made of the services' own addresses, so it is the way there that differs.
  const fetch: typeof globalThis.fetch = (url, init) =>
    globalThis.fetch(
      new URL(new URL(url instanceof Request ? url.url : url).href.replace(/^https:\/\/[^/]+/, local)),
      init,
    );
  return {
    options: { fetch, tavily: { apiKey: "tvly-stand-in" } },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function entry(id: string, title: string, text: string): Entry {
  return { id, title, text };
}

function reply(response: ServerResponse, status: number, value: object | string): void {
  const type = typeof value === "string" ? "application/atom+xml" : "application/json";
  response.writeHead(status, { "content-type": type });
  response.end(typeof value === "string" ? value : JSON.stringify(value));
}

/** The entries in which at least half of the longer words of a query occur. */
function found(service: ServiceName, query: string): readonly Entry[] {
  const words = (query.toLowerCase().match(/\p{L}{4,}/gu) ?? []).map((word) => word.slice(0, 5));
  return library[service].filter(({ title, text }) => {
    const hits = words.filter((word) => `${title} ${text}`.toLowerCase().includes(word));
    return words.length > 0 && hits.length * 2 >= words.length;
  });
}

function queryIn(body: unknown): string {
  const query: unknown = typeof body === "object" && body !== null && "query" in body ? body.query : "";
  return typeof query === "string" ? query : "";
}

function feedOf(entries: readonly Entry[]): string {
  const papers = entries.map(
    ({
      id,
      title,
      text,
    }) => `<entry><id>${linkOf("arxiv", id)}</id><title>${title}</title><summary>${text}</summary>
<published>2020-01-01T00:00:00Z</published><updated>2020-01-01T00:00:00Z</updated>
<author><name>A. Goose</name></author></entry>`,
  );
  return `<feed xmlns="http://www.w3.org/2005/Atom"><id>feed</id>${papers.join("")}</feed>`;
}

function hitsOf(entries: readonly Entry[]): object {
  const results = entries.map(({ id, title, text }) => ({
    title,
    url: linkOf("tavily", id),
    content: text,
    score: 0.9,
  }));
  return { answer: null, results };
}

function pagesOf(entries: readonly Entry[]): object {
  return {
    pages: entries.map(({ id, title, text }, index) => ({
      id: index,
      key: id,
      title,
      excerpt: text,
      description: null,
    })),
  };
}

function summaryOf({ id, title, text }: Entry): object {
  return {
    type: "standard",
    title,
    extract: text,
    content_urls: { desktop: { page: linkOf("wikipedia", id) } },
  };
}

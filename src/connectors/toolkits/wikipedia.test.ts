import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { wikipedia, type WikipediaOptions } from "skein/toolkits";
import { callTool, startService, textOf, type TestService } from "./test-service.ts";

let service: TestService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.close());
beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));

const search = (args: object, options: WikipediaOptions = {}) =>
  callTool(wikipedia({ baseURL: service.url, ...options }), "wikipedia_search", args);
const summary = (args: object) => callTool(wikipedia({ baseURL: service.url }), "wikipedia_summary", args);

const found = JSON.stringify({
  pages: [
    {
      id: 38930,
      key: "Jupiter",
      title: "Jupiter",
      excerpt:
        '<span class="searchmatch">Jupiter</span> is the fifth planet &amp; the &quot;largest&quot; &#8211; 2&#x2009;&lt;&#xA0;3 &bogus; &#99999999;',
      matched_title: null,
      description: "Fifth planet from the Sun",
      thumbnail: { mimetype: "image/jpeg", url: "//upload.wikimedia.org/x.jpg" },
    },
    {
      id: 1,
      key: "AC/DC",
      title: "AC/DC",
      excerpt: "",
      matched_title: null,
      description: null,
      thumbnail: null,
    },
  ],
});

const jupiter = {
  type: "standard",
  title: "Jupiter",
  displaytitle: '<span class="mw-page-title-main">Jupiter</span>',
  pageid: 38930,
  lang: "en",
  timestamp: "2026-01-15T08:20:11Z",
  description: "Fifth planet from the Sun",
  content_urls: {
    desktop: {
      page: "https://en.wikipedia.org/wiki/Jupiter",
      edit: "https://en.wikipedia.org/wiki/Jupiter?action=edit",
    },
    mobile: { page: "https://en.m.wikipedia.org/wiki/Jupiter" },
  },
  extract: "Jupiter is the fifth planet from the Sun and the largest in the Solar System.",
  extract_html: "<p><b>Jupiter</b> is the fifth planet</p>",
};

test("a search finds articles, without the marks and entities of their excerpts", async () => {
  service.answer(found);
  const result = await search({ query: "jupiter planet", maxResults: 2 });
  expect(result.structuredContent).toEqual({
    results: [
      {
        title: "Jupiter",
        description: "Fifth planet from the Sun",
        excerpt: 'Jupiter is the fifth planet & the "largest" – 2 < 3 &bogus; &#99999999;',
        link: `${service.url}/wiki/Jupiter`,
      },
      { title: "AC/DC", link: `${service.url}/wiki/AC%2FDC` },
    ],
  });
  expect(service.received.at(-1)).toMatchObject({
    path: "/w/rest.php/v1/search/page",
    query: { q: "jupiter planet", limit: "2" },
  });
});

test("nothing found is an empty list", async () => {
  service.answer('{"pages":[]}');
  expect((await search({ query: "xyzzy" })).structuredContent).toEqual({ results: [] });
});

test("a summary is read", async () => {
  service.answer(JSON.stringify(jupiter));
  expect((await summary({ title: "Jupiter" })).structuredContent).toEqual({
    title: "Jupiter",
    description: "Fifth planet from the Sun",
    summary: "Jupiter is the fifth planet from the Sun and the largest in the Solar System.",
    link: "https://en.wikipedia.org/wiki/Jupiter",
    updated: "2026-01-15T08:20:11Z",
  });
});

test("reports an ambiguous title, and gives an address for a summary without content", async () => {
  service.answer(JSON.stringify({ type: "disambiguation", title: "Mercury (a b)", extract: null }));
  expect((await summary({ title: "Mercury" })).structuredContent).toEqual({
    title: "Mercury (a b)",
    summary: "",
    isAmbiguous: true,
    link: `${service.url}/wiki/Mercury_(a_b)`,
  });
});

test.each([
  ["Albert  Einstein ", "/api/rest_v1/page/summary/Albert_Einstein"],
  ["AC/DC", "/api/rest_v1/page/summary/AC%2FDC"],
  ["C# & what? 100%", "/api/rest_v1/page/summary/C%23_%26_what%3F_100%25"],
  ["../../w/api.php", "/api/rest_v1/page/summary/..%2F..%2Fw%2Fapi.php"],
  ["Łódź", "/api/rest_v1/page/summary/%C5%81%C3%B3d%C5%BA"],
  ["...", "/api/rest_v1/page/summary/..."],
])("the title %j is one segment of the address", async (title, path) => {
  service.answer(JSON.stringify(jupiter));
  await summary({ title });
  expect(service.received.at(-1)?.path).toBe(path);
});

test.each([".", "..", "  "])("sends no request for the title %j", async (title) => {
  const before = service.received.length;
  expect(textOf(await summary({ title }))).toContain("wikipedia_search");
  expect(service.received).toHaveLength(before);
});

test("a redirected title is followed", async () => {
  const location = "/api/rest_v1/page/summary/Jupiter";
  service.answer({ status: 302, headers: { location }, body: "" }, JSON.stringify(jupiter));
  expect((await summary({ title: "jupiter" })).structuredContent).toMatchObject({ title: "Jupiter" });
});

test("a redirect to another host is not followed: it may be in the program's own network", async () => {
  const inner = await startService();
  inner.answer(JSON.stringify({ ...jupiter, extract: "internal" }));
  try {
    service.answer({ status: 302, headers: { location: `${inner.url}/secrets` }, body: "" });
    const result = await summary({ title: "jupiter" });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toContain("refused the request (302)");
    expect(inner.received).toHaveLength(0);
  } finally {
    await inner.close();
  }
});

test("redirects without an end are given up", async () => {
  service.answer({ status: 302, headers: { location: "/api/rest_v1/page/summary/Again" }, body: "" });
  expect(textOf(await summary({ title: "jupiter" }))).toContain("refused the request (302)");
});

test("requests say who asks", async () => {
  service.answer(found);
  await search({ query: "x" });
  expect(service.received.at(-1)?.headers["user-agent"]).toMatch(/^skein-toolkits \(https:/);
  await search({ query: "x" }, { userAgent: "Almanac/2.1 (almanac@example.org)" });
  expect(service.received.at(-1)?.headers["user-agent"]).toBe("Almanac/2.1 (almanac@example.org)");
});

test("the language chooses the host", async () => {
  const hosts: string[] = [];
  const fetch = (address: string | URL | Request) => {
    hosts.push(new URL(address instanceof Request ? address.url : address).host);
    return Promise.resolve(new Response('{"pages":[]}'));
  };
  const set = wikipedia({ language: "de", fetch });
  await callTool(set, "wikipedia_search", { query: "Gans" });
  expect(hosts).toEqual(["de.wikipedia.org"]);
});

test.each([
  [{ language: "evil.example/" }, /language "evil.example\/" must be the language of a Wikipedia/],
  [{ baseURL: "wiki.local" }, /needs http/],
  [{ lang: "de" }, /has no option "lang"\. Did you mean "language"/],
])("%j is refused when the tools are made", (options: object, words) => {
  expect(() => wikipedia(options)).toThrow(words);
});

describe("reports failures", () => {
  test("a missing article, with the next step", async () => {
    const body = JSON.stringify({
      type: "https://mediawiki.org/wiki/HyperSwitch/errors/not_found",
      title: "Not found.",
    });
    service.answer({ status: 404, body });
    const result = await summary({ title: "Xyzzyx" });
    expect(textOf(result)).toBe(
      "wikipedia_summary failed: Wikipedia refused the request (404): Not found. " +
        "It has no article of that title: look for one with wikipedia_search.",
    );
  });

  test.each([
    ["HTML", "<html>busy</html>", /is not JSON/],
    ["a list", "[]", /another form/],
    ["another object", "{}", /another form/],
  ])("%s instead of an answer", async (_, body, words) => {
    service.answer(body);
    expect(textOf(await search({ query: "x" }))).toMatch(words);
    expect(textOf(await summary({ title: "x" }))).toMatch(words);
  });

  test("fields of the wrong kind are left out", async () => {
    service.answer(
      JSON.stringify({ pages: [null, "x", { title: 5, key: {}, excerpt: [], description: 7 }] }),
    );
    expect((await search({ query: "x" })).structuredContent).toEqual({
      results: [{ title: "", link: `${service.url}/wiki/` }],
    });
  });
});

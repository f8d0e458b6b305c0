import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { arxiv, searchTools } from "skein/toolkits";
import { sleep } from "../../base/util/sleep.ts";
import { callTool, startService, textOf, type TestService } from "./test-service.ts";

let service: TestService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.close());
beforeEach(() => void vi.spyOn(Math, "random").mockReturnValue(0));

let addresses = 0;
/** An address of its own for each call: those of one address wait for each other. */
const search = (args: object) =>
  callTool(arxiv({ baseURL: `${service.url}/${++addresses}` }), "arxiv_search", args);
const lastQuery = () => service.received.at(-1)?.query;

function feed(entries: string, total = 1): string {
  return `<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">
  <id>https://arxiv.org/api/cHxbiOdZaP56ODnBPIenZhzg5f8</id>
  <title>arXiv Query: search_query=all:attention&amp;id_list=&amp;start=0&amp;max_results=10</title>
  <updated>2026-02-03T00:00:00-05:00</updated>
  <link href="https://arxiv.org/api/query?search_query=all:attention" type="application/atom+xml"/>
  <opensearch:itemsPerPage>10</opensearch:itemsPerPage>
  <opensearch:totalResults>${total}</opensearch:totalResults>
  <opensearch:startIndex>0</opensearch:startIndex>
${entries}
</feed>`;
}

const attention = `  <entry>
    <id>http://arxiv.org/abs/1706.03762v7</id>
    <title>Attention Is All
  You Need</title>
    <updated>2023-08-02T00:41:18Z</updated>
    <link href="https://arxiv.org/abs/1706.03762v7" rel="alternate" type="text/html"/>
    <link href="http://arxiv.org/pdf/1706.03762v7" rel="related" type="application/pdf" title="pdf"/>
    <summary>  The dominant models are based on &quot;recurrent&quot; networks &amp; &lt;convolution&gt;,
with &#946; &gt; 0. <![CDATA[A & B < C]]>
</summary>
    <category term="cs.CL" scheme="http://arxiv.org/schemas/atom"/>
    <category term="cs.LG" scheme="http://arxiv.org/schemas/atom"/>
    <published>2017-06-12T17:57:34Z</published>
    <arxiv:comment>15 pages, 5 figures</arxiv:comment>
    <arxiv:primary_category term="cs.CL"/>
    <author>
      <name>Ashish Vaswani</name>
      <arxiv:affiliation>Google Brain</arxiv:affiliation>
    </author>
    <author>
      <name>&#321;ukasz Kaiser</name>
    </author>
  </entry>`;

/** Lets the time of fake timers pass until a promise is settled. */
async function passingQuickly<T>(promise: Promise<T>): Promise<T> {
  const state = { isSettled: false };
  const settling = promise.finally(() => (state.isSettled = true));
  settling.catch(() => undefined);
  while (!state.isSettled) {
    await vi.advanceTimersByTimeAsync(10);
    await new Promise((resolve) => void setImmediate(resolve));
  }
  return settling;
}

describe("of all tools of one address", () => {
  // While modules are loaded, which takes the longer the more a machine has to do, no deadline may pass.
  beforeAll(async () => {
    const fetch: typeof globalThis.fetch = async () => new Response(feed(""));
    const options = (name: string) => ({ baseURL: `https://${name}.example/`, fetch });
    await callTool(arxiv(options("one")), "arxiv_search", { query: "x" });
    const all = searchTools({ tavily: false, wikipedia: false, arxiv: options("two") });
    await callTool(all, "arxiv_search", { query: "x" });
  });
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
  afterEach(() => void vi.useRealTimers());

  test.each([undefined, "https://mirror.example/"])(
    "requests are sent one at a time, and one in three seconds: %s",
    async (baseURL) => {
      const starts: number[] = [];
      let atOnce = 0;
      const fetch: typeof globalThis.fetch = async () => {
        starts.push(performance.now());
        expect(++atOnce).toBe(1);
        await sleep(starts.length === 1 ? 5_000 : 100);
        atOnce--;
        return new Response(feed(""));
      };
      const sources = [
        arxiv({ baseURL, fetch, timeout: 6_000 }),
        arxiv({ baseURL: baseURL?.slice(0, -1), fetch, timeout: 60_000 }),
        searchTools({ tavily: false, wikipedia: false, arxiv: { baseURL, fetch, timeout: 6_000 } }),
      ];
      const searches = sources.map((source) => callTool(source, "arxiv_search", { query: "x" }));
      for (const result of await passingQuickly(Promise.all(searches)))
        expect(result.outcome).toBe("success");
      const [first = 0, second = 0, third = 0] = starts;
      expect(second - first).toBeGreaterThanOrEqual(5_000);
      expect(third - second).toBeGreaterThanOrEqual(3_000);
    },
  );
});

test("papers are read whole: several authors, entities, CDATA, dates, links", async () => {
  service.answer(feed(attention, 131));
  const result = await search({ query: "attention" });
  expect(result.structuredContent).toEqual({
    total: 131,
    start: 0,
    papers: [
      {
        id: "1706.03762v7",
        title: "Attention Is All You Need",
        authors: ["Ashish Vaswani", "Łukasz Kaiser"],
        abstract:
          'The dominant models are based on "recurrent" networks & <convolution>, with β > 0. A & B < C',
        published: "2017-06-12T17:57:34Z",
        updated: "2023-08-02T00:41:18Z",
        link: "https://arxiv.org/abs/1706.03762v7",
        pdf: "https://arxiv.org/pdf/1706.03762v7",
        categories: ["cs.CL", "cs.LG"],
        comment: "15 pages, 5 figures",
      },
    ],
  });
});

test("a paper with what few have, and without what most have", async () => {
  const authors = Array.from({ length: 60 }, (_, index) => `<author><name>A${index}</name></author>`).join(
    "",
  );
  service.answer(
    feed(`<entry><id>http://arxiv.org/abs/hep-ph/9905221v1</id><title>1984</title>${authors}
      <arxiv:doi>10.1103/x</arxiv:doi><arxiv:journal_ref>Phys. Rev. D 60</arxiv:journal_ref></entry>`),
  );
  const { structuredContent } = await search({ query: "1984" });
  expect(structuredContent).toMatchObject({
    papers: [
      {
        id: "hep-ph/9905221v1",
        title: "1984",
        abstract: "",
        categories: [],
        doi: "10.1103/x",
        journal: "Phys. Rev. D 60",
      },
    ],
  });
  expect(JSON.stringify(structuredContent)).toContain('"A49","and 10 more"]');
});

test("cuts a page with more results than requested", async () => {
  const entry = "<entry><id>http://arxiv.org/abs/2401.00001v1</id><title>One</title></entry>";
  service.answer(feed(entry.repeat(300), 300));
  const { structuredContent } = await search({ query: "one" });
  expect(structuredContent).toMatchObject({ total: 300, papers: { length: 50 } });
});

test("nothing found is an empty list", async () => {
  service.answer(feed("", 0));
  const result = await search({ query: "xyzzy" });
  expect(result).toMatchObject({
    isError: false,
    structuredContent: { total: 0, start: 0, papers: [] },
  });
});

describe("the query", () => {
  beforeAll(() => service.answer(feed("", 0)));

  test.each([
    ["graph neural networks", "all:graph AND all:neural AND all:networks"],
    ['"chain of thought" prompting', 'all:"chain of thought" AND all:prompting'],
    ["llama OR mistral ANDNOT vision", "all:llama OR all:mistral ANDNOT all:vision"],
    ["What is Llama 3: a (herd)?", "all:What AND all:is AND all:Llama AND all:3 AND all:a AND all:herd"],
    ["AND quantum", "all:quantum"],
    ["Schrödinger μ-calculus", "all:Schrödinger AND all:μ-calculus"],
    ["state/space", 'all:"state space"'],
    ['au:vaswani AND ti:"attention"', 'au:vaswani AND ti:"attention"'],
    ["(cat:cs.CL OR cat:cs.LG) AND abs:agents", "(cat:cs.CL OR cat:cs.LG) AND abs:agents"],
  ])("%s", async (query, sent) => {
    service.answer(feed("", 0));
    await search({ query });
    expect(lastQuery()).toEqual({
      search_query: sent,
      start: "0",
      max_results: "10",
      sortBy: "relevance",
      sortOrder: "descending",
    });
  });

  test("takes a page, a size and an order", async () => {
    await search({ query: "x", maxResults: 3, start: 20, sortBy: "newest" });
    expect(lastQuery()).toMatchObject({ start: "20", max_results: "3", sortBy: "submittedDate" });
    expect(service.received.at(-1)).toMatchObject({ method: "GET", path: `/${addresses}/api/query` });
  });

  test.each([
    [{ query: "?!" }, /needs a query of at least one word/],
    [{ query: "x", maxResults: 5_000 }, /maxResults/],
    [{ query: "x", sortBy: "price" }, /sortBy/],
    [{}, /query/],
  ])("corrects %j without a request", async (args, words) => {
    const before = service.received.length;
    const result = await search(args);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(words);
    expect(service.received).toHaveLength(before);
  });
});

describe("what arXiv refuses", () => {
  const failure = feed(`<entry>
    <id>http://arxiv.org/api/errors#incorrect_id_format_for_1234.12345</id><title>Error</title>
    <summary>incorrect id format for 1234.12345</summary></entry>`);

  test.each([200, 400])("reports an entry with status %i in its own words", async (status) => {
    service.answer({ status, body: failure });
    const result = await search({ query: "id:1234.12345" });
    expect(result.outcome).toBe("error");
    expect(textOf(result)).toContain("incorrect id format for 1234.12345");
  });

  test("a paper called Error is a paper", async () => {
    service.answer(feed("<entry><id>http://arxiv.org/abs/2401.00001v1</id><title>Error</title></entry>"));
    expect(await search({ query: "error" })).toMatchObject({
      structuredContent: { papers: [{ title: "Error" }] },
    });
  });

  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
  afterEach(() => void vi.useRealTimers());

  test("retries after too many requests, by status or by text", async () => {
    const before = service.received.length;
    service.answer(
      { status: 503, headers: { "retry-after": "0" }, body: "Rate exceeded." },
      "Rate exceeded.",
      feed(attention),
    );
    const start = performance.now();
    const result = await passingQuickly(search({ query: "attention" }));
    expect(result).toMatchObject({ outcome: "success" });
    expect(service.received.length - before).toBe(3);
    expect(performance.now() - start).toBeGreaterThanOrEqual(6_000);
  });
});

describe("an answer that is not a feed", () => {
  test.each([
    ["broken XML", feed(attention).slice(0, 900), /not XML/],
    ["an unclosed element", feed("<entry><id>x</entry>"), /not XML/],
    ["HTML", "<!doctype html><html><head><meta charset=utf-8></head><body>Hi</body></html>", /not XML/],
    ["nothing", "", /not XML/],
    ["another document", "<rss><channel/></rss>", /not an Atom feed/],
    [
      "entities of its own",
      `<!DOCTYPE feed [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><feed><title>&b;</title></feed>`,
      /not XML/,
    ],
    [
      "a hundred thousand levels",
      `<feed>${"<a>".repeat(100_000)}${"</a>".repeat(100_000)}</feed>`,
      /not XML/,
    ],
    ["five megabytes", `<feed>${" ".repeat(5_000_000)}</feed>`, /more than 4194304 bytes/],
  ])("%s is an error", async (_, body, words) => {
    service.answer(body);
    const result = await search({ query: "x" });
    expect(result.outcome).toBe("error");
    expect(textOf(result)).toMatch(words);
    expect(textOf(result).length).toBeLessThan(500);
  });
});

import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { Agent, ConfigurationError, run } from "skein";
import { ScriptedModel } from "skein/testing";
import { searchTools, ServiceError, tavily, type TavilyOptions } from "skein/toolkits";
import { callTool, startService, textOf, type TestService } from "./test-service.ts";

const key = "tvly-dev-0123456789abcdef";
let service: TestService;
beforeAll(async () => void (service = await startService()));
afterAll(() => service.close());
beforeEach(() => {
  vi.spyOn(Math, "random").mockReturnValue(0);
  vi.stubEnv("TAVILY_API_KEY", "");
});
afterEach(() => void vi.unstubAllEnvs());

const search = (args: object, options: TavilyOptions = {}) =>
  callTool(tavily({ baseURL: service.url, apiKey: key, ...options }), "tavily_search", args);

const found = JSON.stringify({
  query: "who is Leo Messi?",
  follow_up_questions: null,
  answer: "Lionel Messi is a footballer.",
  images: [],
  results: [
    {
      url: "https://www.example.org/messi",
      title: "Lionel Messi",
      content: "Lionel Messi, born in 1987,\n\nis an Argentine footballer.",
      score: 0.81025416,
      raw_content: null,
      published_date: "Tue, 12 Aug 2025 00:00:00 GMT",
    },
    { url: "https://www.example.org/2", title: "Two", content: "", score: 0.5, raw_content: null },
  ],
  response_time: 1.67,
  request_id: "123e4567-e89b-12d3-a456-426614174111",
});

test("pages are found, with Tavily's own summary", async () => {
  service.answer(found);
  const result = await search({ query: "who is Leo Messi?" });
  expect(result.structuredContent).toEqual({
    answer: "Lionel Messi is a footballer.",
    results: [
      {
        title: "Lionel Messi",
        link: "https://www.example.org/messi",
        content: "Lionel Messi, born in 1987, is an Argentine footballer.",
        score: 0.81025416,
        published: "Tue, 12 Aug 2025 00:00:00 GMT",
      },
      { title: "Two", link: "https://www.example.org/2", content: "", score: 0.5 },
    ],
  });
});

test("the request is as Tavily documents it", async () => {
  service.answer('{"answer":null,"results":[]}');
  const input = {
    query: "geese",
    maxResults: 3,
    topic: "news",
    timeRange: "week",
    includeDomains: ["example.org"],
  };
  const result = await search(input, { searchDepth: "advanced", includeAnswer: false });
  expect(result.structuredContent).toEqual({ results: [] });
  const { method, path, headers, body = "{}" } = service.received.at(-1) ?? {};
  expect({ method, path }).toEqual({ method: "POST", path: "/search" });
  expect(headers).toMatchObject({ authorization: `Bearer ${key}`, "content-type": "application/json" });
  expect(JSON.parse(body)).toEqual({
    query: "geese",
    max_results: 3,
    topic: "news",
    search_depth: "advanced",
    include_answer: false,
    time_range: "week",
    include_domains: ["example.org"],
  });
});

test("more pages than were asked for are left out", async () => {
  service.answer(found);
  const { structuredContent } = await search({ query: "x", maxResults: 1 });
  expect(structuredContent).toMatchObject({ results: { length: 1 } });
});

test("long pages are cut, and never within a character", async () => {
  const content = `${"a".repeat(4_999)}🪿${"b".repeat(5_000)}`;
  service.answer(JSON.stringify({ results: [{ title: "t", url: "https://example.org", content }] }));
  expect((await search({ query: "x" })).structuredContent).toMatchObject({
    results: [{ content: `${"a".repeat(4_999)}…` }],
  });
});

test("a missing key is an error that names the variable", () => {
  for (const make of [tavily, searchTools]) {
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(
      expect.objectContaining({
        code: "missing-variable",
        data: { variable: "TAVILY_API_KEY" },
        message: "TAVILY_API_KEY is not set: get a key at https://app.tavily.com, or pass apiKey.",
      }),
    );
  }
  expect(() => tavily({ apiKey: `${key}\n` })).toThrow(/line break/);
});

test("the variable is read when the tool is made", async () => {
  vi.stubEnv("TAVILY_API_KEY", "tvly-from-environment");
  service.answer(found);
  await callTool(tavily({ baseURL: service.url }), "tavily_search", { query: "x" });
  expect(service.received.at(-1)?.headers.authorization).toBe("Bearer tvly-from-environment");
});

test("reports a refused key without showing it", async () => {
  service.answer({
    status: 401,
    body: JSON.stringify({ detail: { error: `Unauthorized: ${key} is invalid.` } }),
  });
  const result = await search({ query: "x" });
  expect(textOf(result)).toBe(
    "tavily_search failed: Tavily refused the request (401): Unauthorized: [redacted] is invalid. " +
      "The key in TAVILY_API_KEY, or apiKey, is not accepted.",
  );
});

test("retries after too many requests, and reports a lasting limit with the wait", async () => {
  const busy = {
    status: 429,
    headers: { "retry-after": "0" },
    body: '{"detail":{"error":"Too many requests"}}',
  };
  const before = service.received.length;
  service.answer(busy, busy, found);
  expect(await search({ query: "x" })).toMatchObject({ outcome: "success" });
  expect(service.received.length - before).toBe(3);

  service.answer({ ...busy, headers: { "retry-after": "120" } });
  const result = await search({ query: "x" });
  expect(service.received.length - before).toBe(4);
  expect(textOf(result)).toContain("Too many requests. It asks to wait 120 s.");
});

test("a spent plan is not tried again", async () => {
  const before = service.received.length;
  service.answer({ status: 432, body: '{"detail":{"error":"This request exceeds your plan"}}' });
  expect(textOf(await search({ query: "x" }))).toContain("The plan's limit is reached.");
  expect(service.received.length - before).toBe(1);
});

test.each([
  ["a page", `<html>Authorization: Bearer ${key}</html>`],
  ["a text", `denied ${key}`],
  ["JSON of another form", JSON.stringify([`bad key ${key}`])],
])("does not show the key where the service repeats it in %s", async (_title, body) => {
  service.answer(body);
  const { isError, content } = await search({ query: "x" });
  expect(isError).toBe(true);
  expect(JSON.stringify(content)).toContain("Tavily answered with");
  expect(JSON.stringify(content)).not.toContain(key.slice(5));
});

test("a redirect is not followed with the key", async () => {
  const before = service.received.length;
  service.answer({ status: 307, headers: { location: "/elsewhere" }, body: "" });
  expect(textOf(await search({ query: "x" }))).toContain("refused the request (307)");
  expect(service.received.length - before).toBe(1);
});

test("reports an unreachable service by its host", async () => {
  const gone = await startService();
  await gone.close();
  const result = await search({ query: "x" }, { baseURL: gone.url });
  expect(textOf(result)).toMatch(/Tavily could not be reached at 127\.0\.0\.1:\d+: .*ECONNREFUSED/);
});

test("abandons a silent service at the timeout", async () => {
  service.answer(undefined);
  expect(await search({ query: "x" }, { timeout: 50 })).toMatchObject({ outcome: "timeout" });
});

test("errors carry what a program needs", () => {
  const error = new ServiceError("Tavily", "is busy.", { status: 429, retryAfter: 2_000, isTransient: true });
  expect(error).toMatchObject({
    message: "Tavily is busy.",
    status: 429,
    retryAfter: 2_000,
    isTransient: true,
  });
});

test("an agent has all search tools with one line", async () => {
  vi.stubEnv("TAVILY_API_KEY", key);
  const model = new ScriptedModel([
    { toolCalls: [{ toolName: "tavily_search", arguments: { query: "geese" } }] },
    "They fly.",
  ]);
  service.answer(found);
  const tools = [searchTools({ tavily: { baseURL: service.url } })];
  const { text } = await run(new Agent({ name: "Researcher", model, tools }), "What do geese do?");
  expect(text).toBe("They fly.");
  expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual([
    "arxiv_search",
    "wikipedia_search",
    "wikipedia_summary",
    "tavily_search",
  ]);
});

test("a service can be left out, and options are checked", async () => {
  const model = new ScriptedModel(["Hello."]);
  const tools = [searchTools({ tavily: false, arxiv: false })];
  await run(new Agent({ name: "Reader", model, tools }), "Hi");
  expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual([
    "wikipedia_search",
    "wikipedia_summary",
  ]);
  expect(() => searchTools({ tavilly: false } as object)).toThrow(/Did you mean "tavily"/);
});

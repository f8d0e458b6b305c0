import { run } from "skein";
import { ScriptedModel, type ScriptedToolCall } from "skein/testing";
import { afterEach, expect, test, vi } from "vitest";
import { researcher } from "./agent.ts";
import { linkOf, serveLibrary, type StandIn } from "./stand-in.ts";

let library: StandIn | undefined;
afterEach(() => {
  library?.close();
  library = undefined;
});

/** A researcher whose services are on this machine; those that are closed refuse. */
async function open(...closed: readonly string[]): Promise<ReturnType<typeof researcher>> {
  library = await serveLibrary(closed);
  return researcher(library.options);
}

const searches: readonly ScriptedToolCall[] = [
  { toolName: "arxiv_search", arguments: { query: "geese" } },
  { toolName: "wikipedia_search", arguments: { query: "goose" } },
  { toolName: "tavily_search", arguments: { query: "geese" } },
];
const paper = linkOf("arxiv", "2001.00008v1");
const article = linkOf("wikipedia", "Bar-headed_goose");
const page = linkOf("tavily", "geese-arrive");

const report = (...sources: readonly string[]): string =>
  JSON.stringify({ title: "Geese", summary: "They fly high.", findings: [{ statement: "Yes.", sources }] });

/** The text of the corrections that the model was given. */
function corrections({ requests }: ScriptedModel): string[] {
  const messages = requests.at(-1)?.messages ?? [];
  return messages.flatMap((message) =>
    message.role === "user" && message.correction === true ? [JSON.stringify(message.content)] : [],
  );
}

test("the report is typed, and cites what three services returned at once", async () => {
  const model = new ScriptedModel([{ toolCalls: searches }, report(paper, article, page)], {
    supportsOutput: true,
  });
  const { output, status, turns, stats } = await run(await open(), "How high do geese fly?", { model });
  expect({ status, turns, toolErrors: stats.toolErrors }).toEqual({
    status: "completed",
    turns: 2,
    toolErrors: 0,
  });
  expect(output?.findings[0]?.sources).toEqual([paper, article, page]);
  expect(output?.gaps).toEqual([]);
});

test("services that are asked in one answer are asked at once", async () => {
  library = await serveLibrary();
  const { fetch = globalThis.fetch, tavily } = library.options;
  let requests = 0;
  const both = Promise.withResolvers<void>();
  /** No request is answered before both have come. */
  const waiting: typeof fetch = async (...request) => {
    requests += 1;
    if (requests === 2) both.resolve();
    await both.promise;
    return fetch(...request);
  };
  const model = new ScriptedModel([{ toolCalls: searches.slice(1) }, report(article, page)], {
    supportsOutput: true,
  });
  const { status } = await run(researcher({ fetch: waiting, tavily }), "Geese?", { model });
  expect({ status, requests }).toEqual({ status: "completed", requests: 2 });
});

test("a link that no tool returned is corrected", async () => {
  const model = new ScriptedModel(
    [{ toolCalls: searches }, report(paper, "https://example.com/made-up"), report(paper)],
    { supportsOutput: true },
  );
  const { output, status } = await run(await open(), "How high do geese fly?", { model });
  expect(status).toBe("completed");
  expect(output?.findings[0]?.sources).toEqual([paper]);
  expect(corrections(model)).toEqual([
    expect.stringMatching(/\$\.findings\[0\]\.sources\[1\].*no tool returned this link/s),
  ]);
});

test.each([
  ["a link that is a little different", `${paper}#page=2`],
  ["the beginning of a link", paper.slice(0, -1)],
  ["no link", "A. Goose, 2020"],
])("%s is not a source", async (_, source) => {
  const turns = [{ toolCalls: searches }, report(source), report(source), report(source)];
  const model = new ScriptedModel(turns, { supportsOutput: true });
  const { output, status } = await run(await open(), "How high do geese fly?", { model });
  expect({ output, status }).toEqual({ output: undefined, status: "corrections" });
});

test("links of earlier questions may be cited, those of other researchers may not", async () => {
  const first = await open();
  const { state } = await run(first, "Geese?", {
    model: new ScriptedModel([{ toolCalls: searches }, report(paper)], { supportsOutput: true }),
  });
  const again = () => new ScriptedModel([report(page), report(page), report(page)], { supportsOutput: true });
  const input = [...state.messages, { role: "user" as const, content: "And the news?" }];
  expect((await run(first, input, { model: again() })).status).toBe("completed");
  expect((await run(researcher(library?.options), input, { model: again() })).status).toBe("corrections");
});

test("a service that refuses is told, and the others answer", async () => {
  const model = new ScriptedModel([{ toolCalls: searches }, report(paper)], { supportsOutput: true });
  const { messages } = await run(await open("wikipedia", "tavily"), "How high do geese fly?", { model });
  const told = messages.flatMap((message) =>
    message.role === "tool" ? [`${message.result.outcome}: ${JSON.stringify(message.result.content)}`] : [],
  );
  expect(told).toEqual([
    expect.stringMatching(/^success: .*2001\.00008v1/s),
    expect.stringMatching(/^error: .*Wikipedia refused the request \(403\): closed today/s),
    expect.stringMatching(/^error: .*Tavily refused the request \(403\): closed today/s),
  ]);
});

test("without a network every failure names its service, and the run ends well", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0);
  const lost = vi.fn<typeof fetch>(() =>
    Promise.reject(new TypeError("fetch failed", { cause: new Error("no network") })),
  );
  const model = new ScriptedModel(
    [
      { toolCalls: searches.slice(1) },
      JSON.stringify({ title: "Geese", summary: "Nothing.", gaps: ["All failed."] }),
    ],
    { supportsOutput: true },
  );
  const offline = researcher({ fetch: lost, tavily: { apiKey: "tvly-none" } });
  const { status, output, messages } = await run(offline, "How high do geese fly?", { model });
  expect({ status, findings: output?.findings }).toEqual({ status: "completed", findings: [] });
  const told = JSON.stringify(messages);
  expect(told).toContain("Wikipedia could not be reached at en.wikipedia.org: no network");
  expect(told).toContain("Tavily could not be reached at api.tavily.com: no network");
});

test.each([
  ["", ["arxiv_search", "wikipedia_search", "wikipedia_summary"]],
  ["tvly-key", ["arxiv_search", "wikipedia_search", "wikipedia_summary", "tavily_search"]],
])("the web is searched only with a key (%j)", async (key, names) => {
  vi.stubEnv("TAVILY_API_KEY", key);
  const model = new ScriptedModel([JSON.stringify({ title: "Hello", summary: "Hello." })], {
    supportsOutput: true,
  });
  await run(researcher(), "Hello", { model });
  vi.unstubAllEnvs();
  expect(model.requests[0]?.tools?.map(({ name }) => name)).toEqual(names);
});

import { expect, test } from "vitest";
import type { ModelRequest } from "../../model/types.ts";
import type { GoogleTool } from "./hosted-tools.ts";
import { google } from "./model.ts";
import { buildRequest } from "./request.ts";

const { tools } = google;
const weather = { name: "weather", inputSchema: { type: "object" as const } };

function bodyOf(
  providerTools: readonly GoogleTool[],
  request: Partial<ModelRequest> = {},
  modelId = "gemini-3.8-flash",
): object {
  const target = { provider: "google", modelId, isFirstParty: true, providerTools };
  return buildRequest({ messages: [{ role: "user", content: "Hi" }], ...request }, target).body;
}

test("options are sent under the names of the API", () => {
  const timeRange = { startTime: "2026-01-01T00:00:00Z", endTime: "2026-07-01T00:00:00Z" };
  expect(tools.googleSearch({ searchTypes: ["web", "image"], timeRange }).definition).toEqual({
    googleSearch: { searchTypes: { webSearch: {}, imageSearch: {} }, timeRangeFilter: timeRange },
  });
  const store = { fileSearchStoreNames: ["fileSearchStores/a"], metadataFilter: "year=2026", topK: 4 };
  expect(tools.fileSearch(store).definition).toEqual({ fileSearch: store });
  expect(
    [tools.urlContext(), tools.codeExecution(), tools.googleMaps()].map((tool) => tool.definition),
  ).toEqual([{ urlContext: {} }, { codeExecution: {} }, { googleMaps: {} }]);
});

test("what the API refuses is an error that names the option", () => {
  expect(() => Reflect.apply(tools.fileSearch, tools, [])).toThrow(
    'fileSearchStoreNames of google.tools.fileSearch({ ... }) is missing. Pass the names of stores, such as ["fileSearchStores/handbook"].',
  );
  expect(() => tools.fileSearch({ fileSearchStoreNames: ["a"], topK: 0 })).toThrow("topK");
});

test("without functions they are the only tools, on every model", () => {
  for (const modelId of ["gemini-3.8-flash", "gemini-2.5-flash"]) {
    const body = bodyOf([tools.googleSearch(), tools.urlContext()], {}, modelId);
    expect(body).toMatchObject({ tools: [{ googleSearch: {} }, { urlContext: {} }] });
    expect(body).not.toHaveProperty("toolConfig");
  }
});

test("together with functions the request says that both may be used", () => {
  expect(bodyOf([tools.googleSearch()], { tools: [weather], toolChoice: "auto" })).toMatchObject({
    tools: [{ googleSearch: {} }, { functionDeclarations: [{ name: "weather" }] }],
    toolConfig: { functionCallingConfig: { mode: "AUTO" }, includeServerSideToolInvocations: true },
  });
});

test("a Gemini that refuses both together is an error before the request", () => {
  expect(() => bodyOf([tools.googleSearch()], { tools: [weather] }, "gemini-2.5-pro")).toThrow(
    "gemini-2.5-pro refuses google.tools.googleSearch() together with functions, such as weather. Use Gemini 3 or later, or another agent for the search.",
  );
  // Of another maker's model nothing is certain.
  expect(bodyOf([tools.googleSearch()], { tools: [weather] }, "some-model")).toHaveProperty("toolConfig");
});

test("with a cache they are left out, as functions are", () => {
  const settings = { providerOptions: { cachedContent: "cachedContents/a" } };
  expect(bodyOf([tools.googleSearch()], { settings })).not.toHaveProperty("tools");
});

import { expect, test } from "vitest";
import type { ModelRequest } from "../../model/types.ts";
import { openai } from "./openai.ts";
import { responsesRequest } from "./responses/request.ts";
import type { OpenAITool } from "./tools.ts";

const { tools } = openai;
const weather = { name: "weather", inputSchema: { type: "object" as const } };

function bodyOf(
  providerTools: readonly OpenAITool[],
  request: Partial<ModelRequest> = {},
  modelId = "gpt-5.2",
): object {
  const connection = {
    provider: "openai",
    modelId,
    host: "api.openai.com",
    isOpenAI: true,
    url: "",
    headers: {},
    fetch: undefined,
    providerTools,
  };
  return responsesRequest(connection, { messages: [{ role: "user", content: "Hi" }], ...request }).body;
}

test("options are sent under the names of the API", () => {
  expect(
    tools.webSearch({
      allowedDomains: ["a.org"],
      searchContextSize: "low",
      userLocation: {},
      externalWebAccess: false,
    }).definition,
  ).toEqual({
    type: "web_search",
    filters: { allowed_domains: ["a.org"] },
    search_context_size: "low",
    user_location: { type: "approximate" },
    external_web_access: false,
  });
  const filters = { type: "eq", key: "year", value: 2026 } as const;
  expect(
    tools.fileSearch({
      vectorStoreIds: ["vs_1"],
      maxNumResults: 5,
      filters,
      rankingOptions: { ranker: "auto", scoreThreshold: 0.5 },
    }).definition,
  ).toEqual({
    type: "file_search",
    vector_store_ids: ["vs_1"],
    max_num_results: 5,
    filters,
    ranking_options: { ranker: "auto", score_threshold: 0.5 },
  });
  expect(tools.codeInterpreter({ fileIds: ["file_1"], memoryLimit: "4g" }).definition).toEqual({
    type: "code_interpreter",
    container: { type: "auto", file_ids: ["file_1"], memory_limit: "4g" },
  });
  expect(tools.codeInterpreter({ container: "cntr_1" }).definition).toEqual({
    type: "code_interpreter",
    container: "cntr_1",
  });
  expect(tools.imageGeneration({ outputFormat: "webp", outputCompression: 50 }).definition).toEqual({
    type: "image_generation",
    output_format: "webp",
    output_compression: 50,
  });
});

test("what the API refuses is an error that names the option", () => {
  const none: object = {};
  expect(() => Reflect.apply(tools.fileSearch, tools, [none])).toThrow(
    'vectorStoreIds of openai.tools.fileSearch({ ... }) is missing. Pass the ids of vector stores, such as ["vs_1"].',
  );
  expect(() => Reflect.apply(tools.fileSearch, tools, [])).toThrow("vectorStoreIds");
  expect(() => tools.fileSearch({ vectorStoreIds: ["vs_1"], maxNumResults: 51 })).toThrow(
    "maxNumResults of openai.tools.fileSearch({ ... }) is 51. Pass a whole number from 1 to 50.",
  );
  expect(() => tools.codeInterpreter({ container: "cntr_1", fileIds: ["file_1"] })).toThrow(
    "container of openai.tools.codeInterpreter({ ... }) names a container that has its files already.",
  );
  expect(() => tools.webSearch({ allowedDomains: ["http://a.org"] })).toThrow("allowedDomains");
  const size = { size: Number.NaN };
  expect(() => Reflect.apply(tools.imageGeneration, tools, [size])).toThrow(
    "size of openai.tools.imageGeneration({ ... }) is NaN. Pass what JSON can carry.",
  );
});

test("they come before the functions, and the request asks for their results", () => {
  const offered = [
    tools.webSearch(),
    tools.fileSearch({ vectorStoreIds: ["vs_1"] }),
    tools.codeInterpreter(),
  ];
  expect(bodyOf(offered, { tools: [weather] })).toMatchObject({
    tools: [
      { type: "web_search" },
      { type: "file_search" },
      { type: "code_interpreter" },
      { name: "weather" },
    ],
    include: [
      "reasoning.encrypted_content",
      "web_search_call.action.sources",
      "file_search_call.results",
      "code_interpreter_call.outputs",
    ],
  });
});

test("without functions they are the only tools, and the choice among them is sent", () => {
  const body = bodyOf([tools.webSearch()], { toolChoice: "required" });
  expect(body).toMatchObject({ tools: [{ type: "web_search" }], tool_choice: "required" });
});

test("a prompt with them gets a cache key as one with functions does", () => {
  expect(bodyOf([tools.webSearch()], {}, "gpt-6.1-sol")).toHaveProperty("prompt_cache_key");
  expect(bodyOf([], {}, "gpt-6.1-sol")).not.toHaveProperty("prompt_cache_key");
});

test("Chat Completions refuses them, and names the API that has them", () => {
  const options: object = { providerTools: [tools.webSearch()] };
  expect(() => openai("gpt-5.2", options)).toThrow(
    'openai("gpt-5.2", { ... }) has providerTools, which Chat Completions does not execute. Write openai.responses("gpt-5.2", { providerTools }).',
  );
  expect(openai.responses("gpt-5.2", { providerTools: [tools.webSearch()] }).providerTools).toEqual([
    tools.webSearch(),
  ]);
});

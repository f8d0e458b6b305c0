import { expect, test } from "vitest";
import type { Message } from "../../message/messages.ts";
import type { ModelSettings } from "../../model/types.ts";
import { cacheFields } from "./prompt-cache.ts";
import { connect } from "./options.ts";

const messages: readonly Message[] = [
  { role: "system", content: "Be kind." },
  { role: "user", content: "Hi" },
];
const tools = [{ name: "f", inputSchema: {} }];
const hours = { prompt_cache_options: { ttl: "12h" } } as const;
const openai = "https://api.openai.com/v1";
const azure = "https://birds.openai.azure.com/openai/v1";
const groq = "https://api.groq.com/openai/v1";

/** The fields, without the digits of the key, and the warnings. */
function fieldsFor(
  baseURL: string,
  modelId: string,
  settings: ModelSettings,
  { hasTools = true, hour }: { readonly hasTools?: boolean; readonly hour?: typeof hours } = {},
): readonly unknown[] {
  const warnings: string[] = [];
  const connection = connect(modelId, "/responses", { baseURL, apiKey: "key" });
  const request = { messages, settings, ...(hasTools && { tools }) };
  const fields = cacheFields(connection, request, warnings, hour);
  const json = JSON.stringify(fields).replace(/skein-[0-9a-f]{16}/, "KEY");
  return [JSON.parse(json), ...warnings];
}

const key = { prompt_cache_key: "KEY" };
const day = { ...key, prompt_cache_retention: "24h" };

test("by itself, requests with tools have a key, to GPT-5.6 and later of OpenAI's own host", () => {
  for (const settings of [{}, { cache: "auto" as const }])
    expect(fieldsFor(openai, "gpt-6.1-sol", settings)).toEqual([key]);
  expect(fieldsFor(openai, "gpt-6.1-sol", {}, { hasTools: false })).toEqual([{}]);
  expect(fieldsFor(openai, "gpt-5.2", {})).toEqual([{}]);
  expect(fieldsFor(azure, "gpt-6.1-sol", {})).toEqual([{}]);
  expect(fieldsFor(groq, "openai/gpt-oss-120b", {})).toEqual([{}]);
});

test("five minutes are what every server keeps: only the key is sent", () => {
  for (const baseURL of [openai, azure, groq])
    expect(fieldsFor(baseURL, "gpt-5.2", { cache: "5m" }, { hasTools: false })).toEqual([key]);
});

test.each([
  "gpt-4.1",
  "gpt-5",
  "gpt-5-2025-08-07",
  "gpt-5-codex",
  "gpt-5.2",
  "gpt-5.1-codex-max",
  "gpt-5.5-pro",
])("an hour is a day for %s", (modelId) => {
  expect(fieldsFor(openai, modelId, { cache: "1h" }, { hour: hours })).toEqual([day]);
  expect(fieldsFor(azure, modelId, { cache: "1h" }, { hour: hours })).toEqual([day]);
});

test.each(["gpt-5.6-sol", "gpt-5.10", "gpt-6", "gpt-6.1-sol", "gpt-10"])(
  "an hour is half a day for %s, in the API that has it",
  (modelId) => {
    expect(fieldsFor(openai, modelId, { cache: "1h" }, { hour: hours })).toEqual([{ ...key, ...hours }]);
    expect(fieldsFor(openai, modelId, { cache: "1h" })).toEqual([
      key,
      `settings.cache is sent without its hour: ${modelId} of api.openai.com has no such lifetime in Chat Completions. Use openai.responses.`,
    ]);
  },
);

test.each<[string, string]>([
  [openai, "gpt-4o"],
  [openai, "gpt-5-mini"],
  [openai, "o3"],
  [azure, "gpt-6.1-sol"],
  [groq, "openai/gpt-oss-120b"],
])("where no lifetime is documented, at %s for %s, there is a warning", (baseURL, modelId) => {
  const host = new URL(baseURL).host;
  expect(fieldsFor(baseURL, modelId, { cache: "1h" }, { hour: hours })).toEqual([
    key,
    `settings.cache is sent without its hour: ${modelId} of ${host} has no such lifetime.`,
  ]);
});

test("a lifetime in providerOptions is the only one", () => {
  for (const providerOptions of [{ prompt_cache_retention: "in_memory" }, { prompt_cache_options: {} }])
    expect(fieldsFor(openai, "gpt-4.1", { cache: "1h", providerOptions })).toEqual([key]);
});

test("false turns the cache off where writing to it is paid for", () => {
  const off = { prompt_cache_options: { mode: "explicit" } };
  expect(fieldsFor(openai, "gpt-6.1-sol", { cache: false })).toEqual([off]);
  for (const [baseURL, modelId] of [
    [openai, "gpt-5.2"],
    [openai, "o3"],
    [azure, "gpt-6.1-sol"],
    [groq, "x"],
  ] as const)
    expect(fieldsFor(baseURL, modelId, { cache: false })).toEqual([{}]);
});

test("a history that starts with an answer has a key, too", () => {
  const connection = connect("gpt-6.1-sol", "/responses", { baseURL: openai, apiKey: "key" });
  const keys = ["Hello!", "Hi!"].map((text) => {
    const first: Message = { role: "assistant", content: [{ type: "text", text }], toolCalls: [] };
    return cacheFields(connection, { messages: [first, ...messages], tools }, []).prompt_cache_key;
  });
  expect(new Set(keys).size).toBe(2);
});

test("a request without messages has no key", () => {
  const connection = connect("gpt-5.2", "/responses", { baseURL: openai, apiKey: "key" });
  expect(cacheFields(connection, { messages: [], tools, settings: { cache: "5m" } }, [])).toEqual({});
});

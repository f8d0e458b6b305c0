import type { Model } from "../../model/types.ts";
import { anthropicInfo } from "../anthropic/info.ts";
import { googleInfo } from "../google/info.ts";
import type { ProviderInfo } from "../kit/provider-info.ts";
import { openaiInfo } from "../openai/info.ts";

/** A provider whose models have names. */
export interface ProviderEntry {
  readonly info: ProviderInfo;
  /**
   * Makes a model of its id, loading the provider.
   * @param prefix - What stands before the colon of the name: `info.name`, or one of `info.otherPrefixes`.
   */
  readonly open: (modelId: string, prefix: string) => Promise<Model>;
}

/** The providers whose APIs Skein speaks, one line each. The key of an earlier one comes before that of a later one. */
export const providers: readonly ProviderEntry[] = [
  { info: anthropicInfo, open: async (id) => (await import("../anthropic/index.ts")).anthropic(id) },
  { info: openaiInfo, open: openOpenAI },
  { info: googleInfo, open: async (id) => (await import("../google/index.ts")).google(id) },
];

/** What may stand before the colon of a model's name, Ollama's included. */
export const prefixes: readonly string[] = [
  ...providers.flatMap(({ info }) => [info.name, ...(info.otherPrefixes ?? [])]),
  "ollama",
];

/** The variables of the environment that can hold a key, in words: of each provider the one that nobody else reads. */
export const keyVariables: string = inWords(
  providers.map(({ info }) => info.keyVariables.at(-1) ?? info.keyVariables[0]),
);

/** The forms that a model's name may have, for messages. */
export const modelForms: string = [
  ...providers.map(({ info }) => `${info.name}:${info.exampleModel}`),
  "ollama:qwen3",
  "offline",
].join(", ");

function inWords(names: readonly string[]): string {
  return `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

/**
 * OpenAI's own models from GPT-5.4 on refuse tools over Chat Completions, so `openai:` speaks Responses to OpenAI; other servers
 * (`OPENAI_BASE_URL`) mostly know Chat Completions only.
 */
async function openOpenAI(modelId: string, prefix: string): Promise<Model> {
  const { openai } = await import("../openai/index.ts");
  const isChat = prefix === openaiInfo.name && Boolean(process.env[openaiInfo.baseURLVariable]);
  return isChat || prefix === "openai-chat" ? openai(modelId) : openai.responses(modelId);
}

import type { Model } from "../../model/types.ts";
import { anthropicInfo } from "../anthropic/info.ts";
import { googleInfo } from "../google/info.ts";
import type { ProviderInfo } from "../kit/provider-info.ts";
import { openaiInfo } from "../openai/info.ts";

/** A provider, and how its models are loaded by name. */
export interface ProviderEntry {
  readonly info: ProviderInfo;
  /**
   * Loads the provider and creates a model.
   * @param prefix - The part of the name before the colon: `info.name`, or one of `info.otherPrefixes`.
   */
  readonly open: (modelId: string, prefix: string) => Promise<Model>;
}

/** All providers, one line each. If several keys are set, the first provider is used. */
export const providers: readonly ProviderEntry[] = [
  { info: anthropicInfo, open: async (id) => (await import("../anthropic/index.ts")).anthropic(id) },
  { info: openaiInfo, open: openOpenAI },
  { info: googleInfo, open: async (id) => (await import("../google/index.ts")).google(id) },
];

/** The possible prefixes of a model name, including Ollama's. */
export const prefixes: readonly string[] = [
  ...providers.flatMap(({ info }) => [info.name, ...(info.otherPrefixes ?? [])]),
  "ollama",
];

/** The environment variables that can hold a key, for messages: of each provider the most specific one. */
export const keyVariables: string = listOf(
  providers.map(({ info }) => info.keyVariables.at(-1) ?? info.keyVariables[0]),
);

/** The forms of a model name, for messages. */
export const modelForms: string = [
  ...providers.map(({ info }) => `${info.name}:${info.exampleModel}`),
  "ollama:qwen3",
  "offline",
].join(", ");

function listOf(names: readonly string[]): string {
  return `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

/**
 * OpenAI's models from GPT-5.4 on refuse tools over Chat Completions, so `openai:` uses Responses for OpenAI. Most other servers
 * (`OPENAI_BASE_URL`) support only Chat Completions.
 */
async function openOpenAI(modelId: string, prefix: string): Promise<Model> {
  const { openai } = await import("../openai/index.ts");
  const isChat = prefix === openaiInfo.name && Boolean(process.env[openaiInfo.baseURLVariable]);
  return isChat || prefix === "openai-chat" ? openai(modelId) : openai.responses(modelId);
}

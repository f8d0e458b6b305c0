import type { ProviderInfo } from "../kit/provider-info.ts";

/** OpenAI's Chat Completions and Responses. The default model is the everyday tier of the ids in the `openai` package. */
export const openaiInfo: ProviderInfo = {
  name: "openai",
  title: "OpenAI",
  otherPrefixes: ["openai-chat", "openai-responses"],
  exampleModel: "gpt-5.2",
  defaultModel: "gpt-6.1-sol",
  modelPattern: /^(?:gpt|chatgpt|o\d)/i,
  keyVariables: ["OPENAI_API_KEY"],
  keyHeaders: ["authorization", "api-key"],
  baseURL: "https://api.openai.com/v1",
  baseURLVariable: "OPENAI_BASE_URL",
  baseURLEnd: /\/+$/,
  // Azure serves the same protocols.
  ownHost: /(?:^|\.)(?:openai\.com|openai\.azure\.com)$/,
};

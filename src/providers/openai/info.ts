import type { StrictDialect } from "../../schema/strict.ts";
import { type ProviderInfo, strictFormats } from "../kit/provider-info.ts";

/** The part of JSON Schema that strict mode supports (https://platform.openai.com/docs/guides/structured-outputs#supported-schemas). */
export const openaiDialect: StrictDialect = {
  requiresAll: true,
  allowsRecursion: true,
  limits: {
    pattern: true,
    format: strictFormats,
    multipleOf: true,
    minimum: true,
    maximum: true,
    exclusiveMinimum: true,
    exclusiveMaximum: true,
    minItems: true,
    maxItems: true,
  },
};

/** OpenAI's Chat Completions and Responses. The default model is the everyday tier of the ids in the `openai` package. */
export const openaiInfo: ProviderInfo = {
  name: "openai",
  title: "OpenAI",
  otherPrefixes: ["openai-chat", "openai-responses"],
  exampleModel: "gpt-5.2",
  defaultModel: "gpt-6.1-sol",
  idPrefixes: ["ft"],
  modelPattern: /^(?:gpt|chatgpt|o\d)/i,
  keyVariables: ["OPENAI_API_KEY"],
  keyHeaders: ["authorization", "api-key"],
  baseURL: "https://api.openai.com/v1",
  baseURLVariable: "OPENAI_BASE_URL",
  baseURLEnd: /\/+$/,
  // Azure serves the same protocols.
  ownHost: /(?:^|\.)(?:openai\.com|openai\.azure\.com)$/,
  strict: openaiDialect,
  // https://platform.openai.com/docs/guides/function-calling
  limits: {
    tools: 128,
    strictSchema: {
      properties: 5_000,
      depth: 10,
      enumValues: 1_000,
      characters: 120_000,
      largeEnumCharacters: 15_000,
    },
  },
};

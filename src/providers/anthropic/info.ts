import type { StrictDialect } from "../../schema/strict.ts";
import { type ProviderInfo, strictFormats } from "../kit/provider-info.ts";

/** The part of JSON Schema that strict mode supports (https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations). */
export const anthropicDialect: StrictDialect = {
  requiresAll: false,
  allowsRecursion: false,
  limits: { format: [...strictFormats, "uri"], minItems: [0, 1] },
};

/** Anthropic's Messages API. The default model is the everyday tier of the ids in `@anthropic-ai/sdk`. */
export const anthropicInfo: ProviderInfo = {
  name: "anthropic",
  title: "Anthropic",
  exampleModel: "claude-sonnet-5-5",
  defaultModel: "claude-sonnet-5-5",
  modelPattern: /^claude/i,
  keyVariables: ["ANTHROPIC_API_KEY"],
  keyHeaders: ["x-api-key", "authorization"],
  baseURL: "https://api.anthropic.com",
  baseURLVariable: "ANTHROPIC_BASE_URL",
  baseURLEnd: /(?:\/v1)?\/*$/,
  ownHost: /^api\.anthropic\.com$/,
  strict: anthropicDialect,
  limits: { strictTools: { tools: 20, optionalParameters: 24, unionParameters: 16 } },
};

import type { StrictDialect } from "../../schema/strict.ts";
import type { ProviderInfo } from "../kit/provider-info.ts";

/** The part of JSON Schema that strict mode supports (https://ai.google.dev/gemini-api/docs/structured-output). */
const googleDialect: StrictDialect = {
  requiresAll: false,
  allowsRecursion: true,
  limits: {
    format: ["date-time", "date", "time"],
    minimum: true,
    maximum: true,
    minItems: true,
    maxItems: true,
  },
};

/** Google's Gemini API. The key variables are those of Google's own SDKs, in their order. */
export const googleInfo: ProviderInfo = {
  name: "google",
  title: "Google",
  exampleModel: "gemini-3.8-flash",
  defaultModel: "gemini-3.8-flash",
  modelPattern: /^(?:gemini|gemma)/i,
  keyVariables: ["GOOGLE_API_KEY", "GEMINI_API_KEY"],
  keyHeaders: ["x-goog-api-key", "authorization"],
  baseURL: "https://generativelanguage.googleapis.com",
  baseURLVariable: "GOOGLE_GEMINI_BASE_URL",
  baseURLEnd: /\/+$/,
  ownHost: /(?:^|\.)googleapis\.com$/,
  strict: googleDialect,
};

import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import { createMistral } from "@ai-sdk/mistral";
import { createOpenAI } from "@ai-sdk/openai";
import { createAnthropic as createAnthropicV2 } from "ai-sdk-anthropic-v2";
import { createOpenAI as createOpenAIV3 } from "ai-sdk-openai-v3";
import type { Model, ModelSettings } from "skein";
import { fromAiSdk } from "skein/ai-sdk";
import type { Wire } from "./ai-sdk-answers.ts";
import { modelOver } from "./protocols.ts";

/** One of the providers that Skein is held against. */
export interface Contender {
  readonly name: string;
  readonly wire: Wire;
  readonly model: (url: string) => Model;
  /** What its requests need, so that reasoning comes back in them. */
  readonly settings?: ModelSettings;
}

const apiKey = "a-key-for-tests";

/** OpenAI keeps nothing: then reasoning is sent back, not referred to. */
const unstored: ModelSettings = { providerOptions: { openai: { store: false } } };

/** The protocols that Skein speaks, and four providers through the AI SDK's own packages. */
export const lineup: readonly Contender[] = [
  { name: "chat", wire: "chat", model: (url) => modelOver("chat", { url }) },
  { name: "responses", wire: "responses", model: (url) => modelOver("responses", { url }) },
  { name: "messages", wire: "messages", model: (url) => modelOver("messages", { url }) },
  { name: "google", wire: "google", model: (url) => modelOver("google", { url }) },
  {
    name: "ai-sdk openai",
    wire: "responses",
    model: (url) => fromAiSdk(createOpenAI({ apiKey, baseURL: `${url}/v1` })("gpt-5.2")),
    settings: unstored,
  },
  {
    name: "ai-sdk anthropic",
    wire: "messages",
    model: (url) => fromAiSdk(createAnthropic({ apiKey, baseURL: `${url}/v1` })("claude-sonnet-4-6")),
  },
  {
    name: "ai-sdk google",
    wire: "google",
    model: (url) => fromAiSdk(createGoogle({ apiKey, baseURL: `${url}/v1beta` })("gemini-2.5-flash")),
  },
  {
    name: "ai-sdk mistral",
    wire: "mistral",
    model: (url) => fromAiSdk(createMistral({ apiKey, baseURL: `${url}/v1` })("magistral-medium-latest")),
  },
];

/** Packages of the AI SDK's earlier majors, whose models are of specification V3 and V2. */
export const elders: readonly Contender[] = [
  {
    name: "ai-sdk openai (v3)",
    wire: "responses",
    model: (url) => fromAiSdk(createOpenAIV3({ apiKey, baseURL: `${url}/v1` })("gpt-5.2")),
    settings: unstored,
  },
  {
    name: "ai-sdk anthropic (v2)",
    wire: "messages",
    model: (url) => fromAiSdk(createAnthropicV2({ apiKey, baseURL: `${url}/v1` })("claude-sonnet-4-5")),
  },
];

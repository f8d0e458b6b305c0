import { expect, test } from "vitest";
import { supportsSchemas } from "./structured-output.ts";
import type { AiSdkSpecification } from "./types.ts";

const table: readonly [provider: string, modelId: string, version: AiSdkSpecification, takes: boolean][] = [
  ["openai.responses", "gpt-5.2", "v4", true],
  ["openai.chat", "gpt-5.2", "v2", true],
  ["openai.responses", "gpt-5.2-chat-latest", "v4", false],
  ["openai.responses", "gpt-4o", "v4", true],
  ["openai.responses", "gpt-4o-mini", "v4", true],
  ["openai.responses", "gpt-4o-2024-05-13", "v4", false],
  ["openai.responses", "gpt-4.1-nano", "v4", true],
  ["openai.responses", "gpt-4-turbo", "v4", false],
  ["openai.responses", "o1", "v4", true],
  ["openai.responses", "o1-mini", "v4", false],
  ["openai.responses", "o4-mini", "v4", true],
  ["openai.completion", "gpt-5.2", "v4", false],
  ["openai.chat", "gpt-oss-120b", "v4", false],
  ["azure.responses", "gpt-4.1", "v4", true],
  ["azure.responses", "my-deployment", "v4", false],
  ["anthropic.messages", "claude-sonnet-4-6", "v4", true],
  ["anthropic.messages", "claude-haiku-4-5-20251001", "v3", true],
  ["anthropic.messages", "claude-opus-5-5", "v4", true],
  ["anthropic.messages", "claude-sonnet-4-20250514", "v4", false],
  ["anthropic.messages", "claude-3-7-sonnet-latest", "v4", false],
  ["anthropic.messages", "claude-sonnet-4-5", "v2", false],
  ["google.generative-ai", "gemini-3-pro-preview", "v4", true],
  ["google.generative-ai", "gemini-2.5-flash", "v4", false],
  ["google.generative-ai", "gemini-3-pro-preview", "v2", false],
  ["mistral.chat", "mistral-large-latest", "v4", false],
  ["groq.chat", "openai/gpt-oss-120b", "v4", false],
];

test.each(table)("%s's %s, of specification %s: %s", (provider, modelId, specificationVersion, takes) => {
  const doStream = (): Promise<never> => Promise.reject(new Error("The model was called."));
  const model = { provider, modelId, specificationVersion, supportedUrls: {}, doStream };
  expect(supportsSchemas(model)).toBe(takes);
});

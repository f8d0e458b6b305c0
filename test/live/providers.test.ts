import { describe, expect, test } from "vitest";
import type { Model } from "skein";
import { anthropic } from "skein/anthropic";
import { google } from "skein/google";
import { openai } from "skein/openai";
import { scenarios } from "../providers/scenarios.ts";

/** A provider to be tried over the network, if there is a key. */
interface LiveProvider {
  readonly name: string;
  /** The environment variable that holds the key. */
  readonly key: string;
  readonly model: () => Model;
}

const { SKEIN_LIVE_OPENAI, SKEIN_LIVE_OPENAI_CHAT, SKEIN_LIVE_ANTHROPIC, SKEIN_LIVE_GOOGLE } = process.env;

const providers: readonly LiveProvider[] = [
  {
    name: "OpenAI, Responses",
    key: "OPENAI_API_KEY",
    model: () => openai.responses(SKEIN_LIVE_OPENAI || "gpt-6.1-sol"),
  },
  {
    // The newest models take no tools over Chat Completions.
    name: "OpenAI, Chat Completions",
    key: "OPENAI_API_KEY",
    model: () => openai(SKEIN_LIVE_OPENAI_CHAT || "gpt-5.2"),
  },
  {
    name: "Anthropic, Messages",
    key: "ANTHROPIC_API_KEY",
    model: () => anthropic(SKEIN_LIVE_ANTHROPIC || "claude-sonnet-5-5"),
  },
  {
    name: "Google, Gemini",
    key: "GEMINI_API_KEY",
    model: () => google(SKEIN_LIVE_GOOGLE || "gemini-3.8-flash"),
  },
];

for (const { name, key } of providers) {
  if (!process.env[key]) console.info(`Skipped: ${name}, since ${key} is not set.`);
}

describe.each(providers)("$name", ({ key, model }) => {
  // A model is no machine: what it does once in ten times is not the adapter's fault, so it may try twice.
  test.skipIf(!process.env[key]).each(Object.values(scenarios))(
    "$title",
    { timeout: 180_000, retry: 1 },
    async ({ play }) => {
      await expect(play(model())).resolves.toBeUndefined();
    },
  );
});

import type { Model } from "skein";
import { anthropic } from "skein/anthropic";
import { google } from "skein/google";
import { openai } from "skein/openai";

/** The protocols that Skein speaks. */
export const protocols = ["chat", "responses", "messages", "google"] as const;

/** One of the protocols: Chat Completions, Responses, Messages, Gemini. */
export type Protocol = (typeof protocols)[number];

/** Where a model is, and what it is called there. */
export interface Place {
  /** Without a path. */
  readonly url: string;
  readonly modelId?: string;
  readonly fetch?: typeof globalThis.fetch;
  /** Whoever answers, if not the protocol's own provider. */
  readonly provider?: string;
  /** Off by default. */
  readonly uploads?: boolean;
}

const modelIds: Readonly<Record<Protocol, string>> = {
  chat: "gpt-5.2",
  responses: "gpt-5.2",
  messages: "claude-sonnet-4-6",
  google: "gemini-3.8-flash",
};

/** The field of a request that holds the history. */
export const historyFields: Readonly<Record<Protocol, string>> = {
  chat: "messages",
  responses: "input",
  messages: "messages",
  google: "contents",
};

/** The real adapter of a protocol, sending to a server on this machine. */
export function modelOver(
  protocol: Protocol,
  { url, modelId = modelIds[protocol], fetch, provider, uploads }: Place,
): Model {
  const apiKey = "a-key-for-tests";
  if (protocol === "messages") return anthropic(modelId, { apiKey, baseURL: url, fetch, provider, uploads });
  if (protocol === "google") return google(modelId, { apiKey, baseURL: url, fetch, provider, uploads });
  const options = { apiKey, baseURL: `${url}/v1`, fetch, provider, uploads };
  return protocol === "chat" ? openai(modelId, options) : openai.responses(modelId, options);
}

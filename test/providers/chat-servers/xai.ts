import { type ChatServer, chunksOf, done, sse } from "./chat-server.ts";

const xaiChunk = chunksOf({ id: "x1", created: 1, model: "grok-4", system_fingerprint: "fp_4" });
const pages = ["https://a.test/", "https://x.com/i/status/1"];

/** xAI, as its documentation tells of it (https://docs.x.ai). */
export const xai: ChatServer = {
  baseURL: "https://api.x.ai/v1",
  modelId: "grok-4",
  provider: "xai",
  stream: sse(
    xaiChunk({ role: "assistant", reasoning_content: "First, " }),
    xaiChunk({ reasoning_content: "look." }),
    xaiChunk({ content: "Grey [[1]](https://a.test/)." }),
    xaiChunk({}, { finish_reason: "stop" }),
    xaiChunk(
      {},
      {},
      {
        choices: [],
        usage: {
          prompt_tokens: 100,
          completion_tokens: 10,
          total_tokens: 310,
          prompt_tokens_details: { text_tokens: 100, audio_tokens: 0, image_tokens: 0, cached_tokens: 64 },
          completion_tokens_details: { reasoning_tokens: 200, audio_tokens: 0 },
          num_sources_used: 2,
        },
        citations: pages,
      },
    ),
    done,
  ),
  said: {
    text: "Grey [[1]](https://a.test/).",
    finishReason: "stop",
    usage: {
      inputTokens: 100,
      outputTokens: 210,
      totalTokens: 310,
      cachedInputTokens: 64,
      reasoningTokens: 200,
    },
    message: {
      content: [
        { type: "reasoning", text: "First, look." },
        { type: "text", text: "Grey [[1]](https://a.test/)." },
        { type: "provider", providerData: { provider: "xai", data: { citations: pages } } },
      ],
    },
  },
  replayed: {
    role: "assistant",
    content: "Grey [[1]](https://a.test/).",
    reasoning_content: "First, look.",
  },
  errors: [
    [
      "a wrong key",
      400,
      {
        code: "Client specified an invalid argument",
        error: "Incorrect API key provided: xa***56. You can obtain an API key from https://console.x.ai.",
      },
      "authentication",
      false,
    ],
    [
      "credits that are spent",
      429,
      {
        code: "Some resource has been exhausted",
        error:
          "Your team 1 has either used all available credits or reached its monthly spending limit. To continue making API requests, please purchase more credits or raise your spending limit.",
      },
      "rate-limit",
      false,
    ],
    [
      "a model that is not there",
      404,
      {
        code: "Some requested entity was not found",
        error: "The model grok-0 does not exist or your team 1 does not have access to it.",
      },
      "invalid-request",
      false,
    ],
  ],
};

import { type ChatServer, chunksOf, sse } from "./chat-server.ts";

const cerebrasChunk = chunksOf({ id: "c1", created: 1, model: "gpt-oss-120b", system_fingerprint: "fp_2" });

/** Cerebras, as its documentation tells of it (https://inference-docs.cerebras.ai). */
export const cerebras: ChatServer = {
  baseURL: "https://api.cerebras.ai/v1",
  modelId: "gpt-oss-120b",
  provider: "cerebras",
  stream: sse(
    cerebrasChunk({ role: "assistant" }),
    cerebrasChunk({ reasoning: "Colour" }),
    cerebrasChunk({ reasoning: "?" }),
    cerebrasChunk({ content: "Grey." }),
    cerebrasChunk(
      {},
      { finish_reason: "stop" },
      {
        usage: {
          prompt_tokens: 70,
          completion_tokens: 20,
          total_tokens: 90,
          prompt_tokens_details: { cached_tokens: 0 },
          completion_tokens_details: { accepted_prediction_tokens: 0, reasoning_tokens: 8 },
        },
        time_info: {
          queue_time: 0.0001,
          prompt_time: 0.003,
          completion_time: 0.02,
          total_time: 0.03,
          created: 1,
        },
      },
    ),
  ),
  said: {
    text: "Grey.",
    finishReason: "stop",
    usage: { inputTokens: 70, outputTokens: 20, totalTokens: 90, cachedInputTokens: 0, reasoningTokens: 8 },
  },
  replayed: { role: "assistant", content: "Grey.", reasoning: "Colour?" },
  errors: [
    [
      "a wrong key",
      401,
      { message: "Wrong API Key", type: "invalid_request_error", param: "api_key", code: "wrong_api_key" },
      "authentication",
      false,
    ],
    [
      "a queue that is full",
      429,
      {
        message: "We're experiencing high traffic right now! Please try again soon.",
        type: "too_many_requests_error",
        param: "queue",
        code: "queue_exceeded",
      },
      "rate-limit",
      true,
    ],
    [
      "a minute's tokens",
      429,
      {
        message: "Tokens per minute limit exceeded - too many tokens processed.",
        type: "too_many_tokens_error",
        param: "quota",
        code: "token_quota_exceeded",
      },
      "rate-limit",
      true,
    ],
    [
      "too long a prompt",
      400,
      {
        message:
          "Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192",
        type: "invalid_request_error",
        param: "messages",
        code: "context_length_exceeded",
      },
      "context-length",
      false,
    ],
  ],
};

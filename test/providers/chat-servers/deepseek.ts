import { type ChatServer, chunksOf, done, sse } from "./chat-server.ts";

const deepSeekChunk = chunksOf({
  id: "d-1",
  created: 1,
  model: "deepseek-v4-flash",
  system_fingerprint: "fp_1",
});

/** DeepSeek, as its documentation tells of it (https://api-docs.deepseek.com). */
export const deepSeek: ChatServer = {
  baseURL: "https://api.deepseek.com",
  modelId: "deepseek-v4-flash",
  provider: "deepseek",
  stream: sse(
    ": keep-alive\n\n",
    deepSeekChunk({ role: "assistant", content: null, reasoning_content: "" }, { logprobs: null }),
    deepSeekChunk({ content: null, reasoning_content: "The tool " }),
    ": keep-alive\n\n",
    deepSeekChunk({ content: null, reasoning_content: "knows." }),
    deepSeekChunk({
      tool_calls: [
        { index: 0, id: "call_00_a", type: "function", function: { name: "look_up", arguments: "" } },
      ],
    }),
    deepSeekChunk({ tool_calls: [{ index: 0, function: { arguments: '{"bird": "heron"}' } }] }),
    deepSeekChunk(
      { content: "", reasoning_content: null },
      { finish_reason: "tool_calls" },
      {
        usage: {
          prompt_tokens: 40,
          completion_tokens: 30,
          total_tokens: 70,
          prompt_tokens_details: { cached_tokens: 32 },
          completion_tokens_details: { reasoning_tokens: 12 },
          prompt_cache_hit_tokens: 32,
          prompt_cache_miss_tokens: 8,
        },
      },
    ),
    done,
  ),
  said: {
    text: "",
    finishReason: "tool-calls",
    rawFinishReason: "tool_calls",
    toolCalls: [{ toolCallId: "call_00_a", toolName: "look_up", arguments: '{"bird": "heron"}' }],
    usage: {
      inputTokens: 40,
      outputTokens: 30,
      totalTokens: 70,
      cachedInputTokens: 32,
      reasoningTokens: 12,
    },
  },
  replayed: {
    role: "assistant",
    content: null,
    reasoning_content: "The tool knows.",
    tool_calls: [
      { id: "call_00_a", type: "function", function: { name: "look_up", arguments: '{"bird": "heron"}' } },
    ],
  },
  errors: [
    [
      "no balance",
      402,
      {
        error: {
          message: "Insufficient Balance",
          type: "unknown_error",
          param: null,
          code: "invalid_request_error",
        },
      },
      "rate-limit",
      false,
    ],
    [
      "a wrong key",
      401,
      {
        error: {
          message: "Authentication Fails, Your api key: ****test is invalid",
          type: "authentication_error",
          param: null,
          code: "invalid_request_error",
        },
      },
      "authentication",
      false,
    ],
    [
      "a server that has too much to do",
      503,
      {
        error: {
          message: "Service is too busy.",
          type: "service_unavailable_error",
          param: null,
          code: null,
        },
      },
      "overloaded",
      true,
    ],
  ],
};

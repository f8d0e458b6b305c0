import { type ChatServer, chunksOf, done, sse } from "./chat-server.ts";

const groqChunk = chunksOf({
  id: "chatcmpl-1",
  created: 1,
  model: "groq/compound",
  system_fingerprint: null,
});
const search = { index: 0, type: "search", arguments: '{"query": "herons"}' };
const found = {
  search_results: { results: [{ title: "Herons", url: "https://a.test/", content: "Grey.", score: 0.9 }] },
};

/** Groq, as its documentation tells of it (https://console.groq.com/docs). */
export const groq: ChatServer = {
  baseURL: "https://api.groq.com/openai/v1",
  modelId: "groq/compound",
  provider: "groq",
  stream: sse(
    groqChunk({ role: "assistant", content: "" }, {}, { x_groq: { id: "req_1" } }),
    groqChunk({ reasoning: "I have to " }),
    groqChunk({ reasoning: "look.", executed_tools: [search] }),
    groqChunk({ executed_tools: [{ ...search, output: "Title: Herons", ...found }] }),
    groqChunk({ content: "Herons are grey." }),
    groqChunk(
      {},
      { finish_reason: "stop" },
      {
        x_groq: {
          id: "req_1",
          usage: {
            queue_time: 0.05,
            prompt_tokens: 20,
            completion_tokens: 9,
            total_tokens: 29,
            prompt_tokens_details: { cached_tokens: 4 },
          },
        },
      },
    ),
    done,
  ),
  said: {
    text: "Herons are grey.",
    finishReason: "stop",
    usage: { inputTokens: 20, outputTokens: 9, totalTokens: 29, cachedInputTokens: 4 },
    message: {
      content: [
        { type: "reasoning", text: "I have to look." },
        { type: "text", text: "Herons are grey." },
        {
          type: "provider",
          providerData: {
            provider: "groq",
            data: { executed_tools: [{ ...search, output: "Title: Herons", ...found }] },
          },
        },
      ],
    },
  },
  replayed: { role: "assistant", content: "Herons are grey.", reasoning: "I have to look." },
  errors: [
    [
      "a call that cannot be read",
      400,
      {
        error: {
          message:
            "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
          type: "invalid_request_error",
          code: "tool_use_failed",
          failed_generation: '<function=look_up{"bird"</function>',
        },
      },
      "invalid-request",
      true,
    ],
    [
      "tokens a minute",
      429,
      {
        error: {
          message:
            "Rate limit reached for model `llama-3.3-70b-versatile` in organization `org_1` service tier `on_demand` on tokens per minute (TPM): Limit 12000, Used 11000, Requested 2000. Please try again in 5s.",
          type: "tokens",
          code: "rate_limit_exceeded",
        },
      },
      "rate-limit",
      true,
    ],
    [
      "more than a minute's tokens at once",
      413,
      {
        error: {
          message:
            "Request too large for model `llama-3.1-8b-instant` in organization `org_1` on tokens per minute (TPM): Limit 6000, Requested 9000, please reduce your message size and try again.",
          type: "tokens",
          code: "rate_limit_exceeded",
        },
      },
      "context-length",
      false,
    ],
    [
      "no capacity in the tier",
      498,
      { error: { message: "Over capacity", type: "over_capacity" } },
      "overloaded",
      true,
    ],
    [
      "a failure in the stream",
      200,
      sse(
        groqChunk({ role: "assistant", content: "" }),
        'event: error\ndata: {"error":{"message":"Failed to parse tool call arguments as JSON","type":"invalid_request_error","code":"tool_use_failed","failed_generation":"{","status_code":400}}\n\n',
      ),
      "invalid-request",
      true,
    ],
  ],
};

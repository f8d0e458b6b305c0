import { type ChatServer, chunksOf, done, sse } from "./chat-server.ts";

const routerChunk = chunksOf({
  id: "gen-1",
  created: 1,
  model: "anthropic/claude-sonnet-4.6",
  provider: "Anthropic",
});
const thought = { type: "reasoning.text", format: "anthropic-claude-v1", index: 0 };
const annotation = {
  type: "url_citation",
  url_citation: { url: "https://a.test/", title: "Herons", content: "Grey.", start_index: 0, end_index: 5 },
};

/** OpenRouter, as its documentation tells of it (https://openrouter.ai/docs). */
export const openRouter: ChatServer = {
  baseURL: "https://openrouter.ai/api/v1",
  modelId: "anthropic/claude-sonnet-4.6",
  provider: "openrouter",
  stream: sse(
    ": OPENROUTER PROCESSING\n\n",
    ": OPENROUTER PROCESSING\n\n",
    routerChunk({
      role: "assistant",
      content: "",
      reasoning: "It is ",
      reasoning_details: [{ ...thought, text: "It is " }],
    }),
    routerChunk({ content: "", reasoning: "grey.", reasoning_details: [{ ...thought, text: "grey." }] }),
    routerChunk({ content: "", reasoning: null, reasoning_details: [{ ...thought, signature: "EqkE+/==" }] }),
    ": OPENROUTER PROCESSING\n\n",
    routerChunk({ role: "assistant", content: "Grey." }),
    routerChunk({ role: "assistant", content: "", annotations: [annotation] }),
    routerChunk(
      { role: "assistant", content: "" },
      { finish_reason: "stop", native_finish_reason: "end_turn" },
    ),
    routerChunk(
      { role: "assistant", content: "" },
      {},
      {
        usage: {
          prompt_tokens: 50,
          completion_tokens: 12,
          total_tokens: 62,
          cost: 0.0004,
          prompt_tokens_details: { cached_tokens: 0, cache_write_tokens: 40 },
          completion_tokens_details: { reasoning_tokens: 6 },
          server_tool_use: { web_search_requests: 1 },
        },
      },
    ),
    done,
  ),
  said: {
    text: "Grey.",
    finishReason: "stop",
    usage: {
      inputTokens: 50,
      outputTokens: 12,
      totalTokens: 62,
      cachedInputTokens: 0,
      cacheWriteTokens: 40,
      reasoningTokens: 6,
    },
    message: {
      content: [
        { type: "reasoning", text: "It is grey." },
        { type: "text", text: "Grey." },
        {
          type: "provider",
          providerData: {
            provider: "openrouter",
            data: { reasoning_details: [{ ...thought, text: "It is grey.", signature: "EqkE+/==" }] },
          },
        },
        {
          type: "provider",
          providerData: { provider: "openrouter", data: { annotations: [annotation] } },
        },
      ],
    },
  },
  replayed: {
    role: "assistant",
    content: "Grey.",
    reasoning: "It is grey.",
    reasoning_details: [{ ...thought, text: "It is grey.", signature: "EqkE+/==" }],
  },
  errors: [
    [
      "credits that are spent",
      402,
      {
        error: {
          message: "Insufficient credits. Add more using https://openrouter.ai/settings/credits",
          code: 402,
        },
      },
      "rate-limit",
      false,
    ],
    [
      "input that was flagged",
      403,
      {
        error: {
          message:
            'anthropic/claude-sonnet-4.6 requires moderation on Anthropic. Your input was flagged for "violence".',
          code: 403,
          metadata: {
            reasons: ["violence"],
            flagged_input: "...",
            provider_name: "Anthropic",
            model_slug: "x",
          },
        },
      },
      "content-filter",
      false,
    ],
    [
      "a provider that has too much to do",
      429,
      {
        error: {
          message: "Provider returned error",
          code: 429,
          metadata: {
            raw: "x is temporarily rate-limited upstream. Please retry shortly.",
            provider_name: "Chutes",
          },
        },
        user_id: "user_1",
      },
      "rate-limit",
      true,
    ],
    [
      "a provider that is gone amid the stream",
      200,
      sse(
        ": OPENROUTER PROCESSING\n\n",
        routerChunk({ role: "assistant", content: "Gr" }),
        routerChunk(
          { content: "" },
          { finish_reason: "error" },
          { error: { code: "server_error", message: "Provider disconnected unexpectedly" } },
        ),
      ),
      "overloaded",
      true,
    ],
    [
      "a failure told at once, with 200",
      200,
      { error: { message: "Provider returned error", code: 502, metadata: { raw: "upstream is down" } } },
      "overloaded",
      true,
    ],
  ],
};

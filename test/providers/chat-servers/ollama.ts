import { type ChatServer, chunksOf, done, sse } from "./chat-server.ts";

const ollamaChunk = chunksOf({
  id: "chatcmpl-2",
  created: 1,
  model: "qwen3:8b",
  system_fingerprint: "fp_ollama",
});

/** Ollama, as its documentation tells of it (https://docs.ollama.com/api/openai-compatibility). */
export const ollama: ChatServer = {
  baseURL: "http://localhost:11434/v1",
  modelId: "qwen3:8b",
  provider: "ollama",
  stream: sse(
    ollamaChunk({ role: "assistant", content: "", reasoning: "Hm" }),
    ollamaChunk({ role: "assistant", content: "", reasoning: "." }),
    ollamaChunk({
      role: "assistant",
      content: "",
      tool_calls: [
        {
          id: "call_x1",
          index: 0,
          type: "function",
          function: { name: "look_up", arguments: '{"bird":"heron"}' },
        },
      ],
    }),
    ollamaChunk({ role: "assistant", content: "" }, { finish_reason: "tool_calls" }),
    ollamaChunk(
      {},
      {},
      { choices: [], usage: { prompt_tokens: 150, completion_tokens: 30, total_tokens: 180 } },
    ),
    done,
  ),
  said: {
    text: "",
    finishReason: "tool-calls",
    toolCalls: [{ toolCallId: "call_x1", toolName: "look_up", arguments: '{"bird":"heron"}' }],
    usage: { inputTokens: 150, outputTokens: 30, totalTokens: 180 },
  },
  replayed: {
    role: "assistant",
    content: null,
    reasoning: "Hm.",
    tool_calls: [
      { id: "call_x1", type: "function", function: { name: "look_up", arguments: '{"bird":"heron"}' } },
    ],
  },
  errors: [
    [
      "a model that is not there",
      404,
      {
        error: {
          message: 'model "qwen3:8b" not found, try pulling it first',
          type: "not_found_error",
          param: null,
          code: null,
        },
      },
      "invalid-request",
      false,
    ],
    [
      "a model without tools",
      400,
      {
        error: {
          message: "registry.ollama.ai/library/gemma3:4b does not support tools",
          type: "invalid_request_error",
          param: null,
          code: null,
        },
      },
      "invalid-request",
      false,
    ],
    [
      "a model that falls over amid the stream",
      200,
      sse(ollamaChunk({ role: "assistant", content: "Gr" }), {
        error: { message: "an error was encountered while running the model: CUDA error", type: "api_error" },
      }),
      "overloaded",
      true,
    ],
  ],
};

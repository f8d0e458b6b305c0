import { type ChatServer, chunksOf, done, sse } from "./chat-server.ts";

const hubChunk = chunksOf({ id: "h1", created: 1, model: "Qwen/Qwen3-32B", system_fingerprint: "" });

/** Hugging Face, as its documentation tells of it (https://huggingface.co/docs/inference-providers). */
export const huggingFace: ChatServer = {
  baseURL: "https://router.huggingface.co/v1",
  modelId: "Qwen/Qwen3-32B",
  provider: "huggingface",
  stream: sse(
    hubChunk({ role: "assistant", content: "Grey" }, { logprobs: null }),
    hubChunk({ role: "assistant", content: "." }, { logprobs: null, finish_reason: "eos_token" }),
    hubChunk({}, {}, { choices: [], usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } }),
    done,
  ),
  said: {
    text: "Grey.",
    finishReason: "stop",
    rawFinishReason: "eos_token",
    usage: { inputTokens: 5, outputTokens: 2, totalTokens: 7 },
  },
  replayed: { role: "assistant", content: "Grey." },
  errors: [
    [
      "credits that are spent",
      402,
      {
        error:
          "You have exceeded your monthly included credits for Inference Providers. Subscribe to PRO to get 20x more monthly included credits.",
      },
      "rate-limit",
      false,
    ],
    [
      "a model that nobody serves",
      400,
      {
        error: {
          message: "The requested model 'x/y' is not supported by any provider you have enabled.",
          type: "invalid_request_error",
          param: "model",
          code: "model_not_supported",
        },
      },
      "invalid-request",
      false,
    ],
    [
      "more tokens than the model holds",
      422,
      {
        error:
          "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens and 1024 `max_new_tokens`",
        error_type: "validation",
      },
      "context-length",
      false,
    ],
    [
      "a model that is loading",
      503,
      { error: "Model x/y is currently loading", estimated_time: 20 },
      "overloaded",
      true,
    ],
    [
      "a failure in the stream",
      200,
      'data: {"error":"Request failed during generation: Server error","error_type":"generation"}\n\n',
      "overloaded",
      true,
    ],
  ],
};

import { type ChatServer, chunksOf, done, sse } from "./chat-server.ts";

const mistralChunk = chunksOf({ id: "m1", created: 1, model: "magistral-medium-2509" });

/** Mistral, as its documentation tells of it (https://docs.mistral.ai/api). */
export const mistral: ChatServer = {
  baseURL: "https://api.mistral.ai/v1",
  modelId: "magistral-medium-2509",
  provider: "mistral",
  stream: sse(
    mistralChunk({ role: "assistant", content: "" }),
    mistralChunk({ content: [{ type: "thinking", thinking: [{ type: "text", text: "Grey " }] }] }),
    mistralChunk({ content: [{ type: "thinking", thinking: [{ type: "text", text: "or white?" }] }] }),
    mistralChunk({
      content: [
        { type: "text", text: "Grey" },
        { type: "reference", reference_ids: [0] },
      ],
    }),
    mistralChunk({ content: ". I ask." }),
    mistralChunk(
      {
        content: "",
        tool_calls: [
          { id: "gSIMJiOkT", function: { name: "look_up", arguments: '{"bird": "heron"}' }, index: 0 },
        ],
      },
      { finish_reason: "tool_calls" },
      { usage: { prompt_tokens: 10, total_tokens: 30, completion_tokens: 20 } },
    ),
    done,
  ),
  said: {
    text: "Grey. I ask.",
    finishReason: "tool-calls",
    usage: { inputTokens: 10, outputTokens: 20, totalTokens: 30 },
    message: {
      content: [
        { type: "reasoning", text: "Grey or white?" },
        { type: "text", text: "Grey. I ask." },
        { type: "tool-call", toolCallId: "gSIMJiOkT" },
        {
          type: "provider",
          providerData: {
            provider: "mistral",
            data: { references: [{ type: "reference", reference_ids: [0] }] },
          },
        },
      ],
    },
  },
  replayed: {
    role: "assistant",
    content: [
      { type: "thinking", thinking: [{ type: "text", text: "Grey or white?" }] },
      { type: "text", text: "Grey. I ask." },
    ],
    tool_calls: [
      { id: "gSIMJiOkT", type: "function", function: { name: "look_up", arguments: '{"bird": "heron"}' } },
    ],
  },
  errors: [
    ["a wrong key", 401, { detail: "Unauthorized" }, "authentication", false],
    [
      "no capacity",
      429,
      {
        object: "error",
        message: "Service tier capacity exceeded for this model.",
        type: "service_tier_capacity_exceeded",
        param: null,
        code: "3505",
      },
      "rate-limit",
      true,
    ],
    [
      "a field that it does not know",
      422,
      {
        object: "error",
        message: {
          detail: [
            {
              type: "extra_forbidden",
              loc: ["body", "seed"],
              msg: "Extra inputs are not permitted",
              input: 7,
            },
          ],
        },
        type: "invalid_request_error",
        param: null,
        code: null,
      },
      "invalid-request",
      false,
    ],
    [
      "too long a prompt",
      400,
      {
        object: "error",
        message:
          "Prompt contains 140000 tokens and 0 draft tokens, too large for model with 131072 maximum context length",
        type: "invalid_request_prompt",
        param: null,
        code: "3051",
      },
      "context-length",
      false,
    ],
  ],
};

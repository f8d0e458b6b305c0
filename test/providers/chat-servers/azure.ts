import { type ChatServer, chunksOf, done, sse } from "./chat-server.ts";

const azureChunk = chunksOf({
  id: "a1",
  created: 1,
  model: "gpt-4.1-2025-04-14",
  system_fingerprint: "fp_3",
});
const safe = { filtered: false, severity: "safe" };
const filters = { hate: safe, self_harm: safe, sexual: safe, violence: safe };
const violent = { ...filters, violence: { filtered: true, severity: "medium" } };

/** Azure, as its documentation tells of it (https://learn.microsoft.com/azure/ai-foundry/openai). */
export const azure: ChatServer = {
  baseURL: "https://acme.openai.azure.com/openai/v1",
  modelId: "gpt-4.1",
  provider: "azure",
  stream: sse(
    {
      choices: [],
      created: 0,
      id: "",
      model: "",
      object: "",
      prompt_filter_results: [{ prompt_index: 0, content_filter_results: filters }],
    },
    azureChunk(
      { content: "", refusal: null, role: "assistant" },
      { content_filter_results: {}, logprobs: null },
    ),
    azureChunk({ content: "They fight" }, { content_filter_results: filters, logprobs: null }),
    azureChunk({}, { content_filter_results: violent, finish_reason: "content_filter", logprobs: null }),
    done,
  ),
  said: {
    text: "They fight",
    finishReason: "content-filter",
    rawFinishReason: "content_filter",
    usage: { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined },
    response: { id: "a1", modelId: "gpt-4.1-2025-04-14" },
  },
  replayed: { role: "assistant", content: "They fight" },
  errors: [
    [
      "a prompt that was filtered",
      400,
      {
        error: {
          message:
            "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
          type: null,
          param: "prompt",
          code: "content_filter",
          status: 400,
          innererror: { code: "ResponsibleAIPolicyViolation", content_filter_result: violent },
        },
      },
      "content-filter",
      false,
    ],
    [
      "a wrong key",
      401,
      {
        error: {
          code: "401",
          message:
            "Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key for an active subscription.",
        },
      },
      "authentication",
      false,
    ],
    [
      "too many tokens",
      429,
      {
        error: {
          code: "429",
          message:
            "Requests to the ChatCompletions_Create Operation under Azure OpenAI API version 2024-10-21 have exceeded token rate limit of your current OpenAI S0 pricing tier. Please retry after 6 seconds.",
        },
      },
      "rate-limit",
      true,
    ],
    [
      "a deployment that is not there",
      404,
      {
        error: {
          code: "DeploymentNotFound",
          message: "The API deployment for this resource does not exist.",
        },
      },
      "invalid-request",
      false,
    ],
    [
      "a gateway's refusal",
      401,
      { statusCode: 401, message: "Unauthorized. Access token is missing, invalid, or expired." },
      "authentication",
      false,
    ],
  ],
};

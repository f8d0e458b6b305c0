import type { InputMessage } from "../../run/types.ts";
import { type InputObject, readBody } from "../kit/input-object.ts";
import { limits } from "../kit/openai-limits.ts";
import { type OpenAIRequest, readRequest, type RequestForm, toolNames } from "../kit/openai-request.ts";
import { readEffort } from "../kit/openai-settings.ts";
import { readMessages } from "./messages.ts";

/** A request of Chat Completions, checked, in Skein's terms. */
export interface ChatCompletionRequest extends OpenAIRequest {
  /** The history: what the client says of the calls of other tools than its own is not in it. */
  readonly messages: readonly InputMessage[];
  /** Whether a stream ends with its usage. */
  readonly includeUsage: boolean;
}

const form: RequestForm = {
  refusals: {
    functions: "is deprecated. Use tools",
    function_call: "is deprecated. Use tool_choice",
    audio: "is not supported: answers are text",
    web_search_options: "is not supported",
    logit_bias: "is not supported",
  },
  functionOf: (tool) => tool.object("function"),
  formatOf: (body) => body.optionalObject("response_format"),
  schemaOwner: (format) => format.object("json_schema"),
  maxTokens: ["max_completion_tokens", "max_tokens"],
  effortOf: (body) => readEffort(body, "reasoning_effort"),
  userOf: (body) => body.optionalText("user", limits.id),
};

/**
 * Reads the body of a request of Chat Completions (https://platform.openai.com/docs/api-reference/chat/create), which nothing is assumed of.
 * What an agent cannot do, such as several choices (`n`), log probabilities and audio, is refused; fields that are about OpenAI's service,
 * such as `store`, `metadata` and `service_tier`, and unknown ones are ignored.
 * @throws InvalidInputError for a wrong field; `data.path` is its path, such as `"messages[2].content"`. `openaiErrorOf` makes the response.
 */
export function fromChatCompletionRequest(value: unknown): ChatCompletionRequest {
  const body = readBody(value);
  assertOneTextChoice(body);
  const request = readRequest(body, form);
  const options = body.optionalObject("stream_options");
  return {
    ...request,
    messages: readMessages(body, toolNames(request)),
    includeUsage: options?.optionalBoolean("include_usage") ?? false,
  };
}

function assertOneTextChoice(body: InputObject): void {
  if ((body.optionalNumber("n", [1, 128], true) ?? 1) > 1)
    throw body.wrong("n", "must be 1: an agent gives one answer");
  if (body.optionalBoolean("logprobs") === true)
    throw body.wrong("logprobs", "is not supported. Leave it out");
  if (body.get("modalities") === undefined) return;
  if (body.list("modalities", 2).some((modality) => modality !== "text"))
    throw body.wrong("modalities", 'must be ["text"]');
}

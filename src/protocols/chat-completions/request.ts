import type { ModelSettings, ToolChoice } from "../../model/types.ts";
import type { InputMessage } from "../../run/types.ts";
import type { JsonSchema } from "../../schema/types.ts";
import {
  assertUnset,
  booleanAt,
  fieldOf,
  type Fields,
  idAt,
  limits,
  listAt,
  numberAt,
  objectAt,
  requestFields,
  textAt,
  wrongField,
} from "../kit/openai-fields.ts";
import {
  type OpenAITool,
  readFormat,
  readSettings,
  readToolChoice,
  readTools,
} from "../kit/openai-settings.ts";
import { readMessages } from "./messages.ts";

/** A request of Chat Completions, checked, in Skein's terms. */
export interface ChatCompletionRequest {
  readonly model: string;
  /** The history: what the client says of the calls of other tools than its own is not in it. */
  readonly messages: readonly InputMessage[];
  /** Tools that the client executes. They must not have the names of the agent's own: else a client could say what those have done. */
  readonly tools: readonly OpenAITool[];
  readonly toolChoice?: ToolChoice;
  readonly parallelToolCalls?: boolean;
  readonly stream: boolean;
  /** Whether a stream ends with its usage. */
  readonly includeUsage: boolean;
  /** The schema of the answer, for `output`. */
  readonly responseFormat?: JsonSchema;
  readonly settings: ModelSettings;
  /** Who the client says is asking. */
  readonly user?: string;
}

const refusals = {
  functions: "is deprecated. Use tools.",
  function_call: "is deprecated. Use tool_choice.",
  audio: "is not supported: answers are text.",
  web_search_options: "is not supported.",
  logit_bias: "is not supported.",
} as const;

/**
 * Reads the body of a request of Chat Completions (https://platform.openai.com/docs/api-reference/chat/create), which nothing is assumed of.
 * What an agent cannot do, such as several choices (`n`), log probabilities and audio, is refused; fields that are about OpenAI's service,
 * such as `store`, `metadata` and `service_tier`, and unknown ones are ignored.
 * @throws InvalidInputError for a wrong field; `data.param` is its path, such as `"messages[2].content"`. `openaiErrorOf` makes the response.
 */
export function fromChatCompletionRequest(body: unknown): ChatCompletionRequest {
  const fields = requestFields(body);
  assertUnset(fields, refusals);
  assertOneTextChoice(fields);
  const tools = readTools(fieldOf(fields, "tools"), (tool, param) => [
    objectAt(fieldOf(tool, "function"), `${param}.function`),
    `${param}.function`,
  ]);
  const toolChoice = readToolChoice(fieldOf(fields, "tool_choice"), tools, (choice) =>
    fieldOf(objectAt(fieldOf(choice, "function"), "tool_choice.function"), "name"),
  );
  const responseFormat = readFormat(fieldOf(fields, "response_format"), "response_format", (format) => [
    objectAt(fieldOf(format, "json_schema"), "response_format.json_schema"),
    "response_format.json_schema",
  ]);
  const parallelToolCalls = booleanAt(fields, "parallel_tool_calls");
  const user = fieldOf(fields, "user");
  return {
    model: idAt(fieldOf(fields, "model"), "model"),
    messages: readMessages(fieldOf(fields, "messages"), new Set(tools.map(({ name }) => name))),
    tools,
    ...(toolChoice !== undefined && { toolChoice }),
    ...(parallelToolCalls !== undefined && { parallelToolCalls }),
    stream: booleanAt(fields, "stream") ?? false,
    includeUsage: readIncludeUsage(fieldOf(fields, "stream_options")),
    ...(responseFormat && { responseFormat }),
    settings: readSettings(fields, {
      maxTokens: ["max_completion_tokens", "max_tokens"],
      effort: [fieldOf(fields, "reasoning_effort"), "reasoning_effort"],
    }),
    ...(user !== undefined && { user: textAt(user, "user", limits.id) }),
  };
}

function assertOneTextChoice(fields: Fields): void {
  if ((numberAt(fields, "n", [1, 128], true) ?? 1) > 1)
    throw wrongField("n", "must be 1: an agent gives one answer.");
  if ((numberAt(fields, "top_logprobs", [0, 20], true) ?? 0) > 0)
    throw wrongField("top_logprobs", "is not supported. Leave it out.");
  if (booleanAt(fields, "logprobs") === true) throw wrongField("logprobs", "is not supported. Leave it out.");
  const modalities = fieldOf(fields, "modalities");
  if (modalities === undefined) return;
  if (listAt(modalities, "modalities", 2).some((modality) => modality !== "text"))
    throw wrongField("modalities", 'must be ["text"].');
}

function readIncludeUsage(value: unknown): boolean {
  if (value === undefined) return false;
  const isIncluded = fieldOf(objectAt(value, "stream_options"), "include_usage");
  if (isIncluded === undefined || typeof isIncluded === "boolean") return isIncluded ?? false;
  throw wrongField("stream_options.include_usage", "must be true or false.");
}

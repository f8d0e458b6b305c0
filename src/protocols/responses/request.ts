import type { JsonObject, JsonValue } from "../../base/util/json.ts";
import type { ApprovalDecision } from "../../message/run-state.ts";
import type { ModelSettings, ToolChoice } from "../../model/types.ts";
import type { ExternalResult, InputMessage } from "../../run/types.ts";
import type { JsonSchema } from "../../schema/types.ts";
import {
  assertUnset,
  booleanAt,
  fieldOf,
  type Fields,
  idAt,
  jsonAt,
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
import { readInput } from "./input-items.ts";
import { emptyEcho } from "./response-object.ts";
import type { ResponseEcho } from "./types.ts";

/** A request of Responses, checked, in Skein's terms. */
export interface ResponsesRequest {
  readonly model: string;
  /**
   * The new messages. Without `previousResponseId` and `conversation` it is the whole history, in which what the client says of the calls of
   * other tools than its own is left out.
   */
  readonly input: readonly InputMessage[];
  /** Results of calls that wait in the server's history. Take those alone that wait for a result: a call that waits for a decision does not. */
  readonly results: readonly ExternalResult[];
  /** Decisions on calls that wait. */
  readonly decisions: readonly ApprovalDecision[];
  /** Tools that the client executes. They must not have the names of the agent's own: else a client could say what those have done. */
  readonly tools: readonly OpenAITool[];
  readonly toolChoice?: ToolChoice;
  readonly parallelToolCalls?: boolean;
  readonly instructions?: string;
  readonly previousResponseId?: string;
  /** The id of the conversation. */
  readonly conversation?: string;
  readonly stream: boolean;
  readonly background: boolean;
  /** Whether the response is to be kept; `true` unless the client says otherwise. */
  readonly store: boolean;
  /** The schema of the answer, for `output`. */
  readonly responseFormat?: JsonSchema;
  readonly settings: ModelSettings;
  readonly metadata: Readonly<Record<string, string>>;
  /** Who the client says is asking. */
  readonly user?: string;
  /** What the response repeats, for the options of `toResponse`. */
  readonly echo: ResponseEcho;
}

const refusals = {
  prompt: "is not supported: prompts stored at OpenAI are not here.",
  context_management: "is not supported: the agent decides how its history is shortened.",
} as const;

/**
 * Reads the body of a request of Responses (https://platform.openai.com/docs/api-reference/responses/create), which nothing is assumed of.
 * What an agent cannot do, such as tools of OpenAI, stored prompts and log probabilities, is refused; fields that are about OpenAI's service,
 * such as `service_tier`, `include` and `truncation`, and unknown ones are ignored.
 * @throws InvalidInputError for a wrong field; `data.param` is its path, such as `"input[2].call_id"`. `openaiErrorOf` makes the response.
 */
export function fromResponsesRequest(body: unknown): ResponsesRequest {
  const fields = requestFields(body);
  assertUnset(fields, refusals);
  if ((numberAt(fields, "top_logprobs", [0, 20], true) ?? 0) > 0)
    throw wrongField("top_logprobs", "is not supported. Leave it out.");
  const tools = readTools(fieldOf(fields, "tools"), (tool, param) => [tool, param]);
  const toolChoice = readToolChoice(fieldOf(fields, "tool_choice"), tools, (choice) =>
    fieldOf(choice, "name"),
  );
  const place = readPlace(fields);
  const hasHistory = place.previousResponseId !== undefined || place.conversation !== undefined;
  const input = readInput(fieldOf(fields, "input"), new Set(tools.map(({ name }) => name)), hasHistory);
  const format = readTextFormat(fields);
  const parallelToolCalls = booleanAt(fields, "parallel_tool_calls");
  const instructions = fieldOf(fields, "instructions");
  const user = fieldOf(fields, "user");
  const request = {
    model: idAt(fieldOf(fields, "model"), "model"),
    input: input.messages,
    results: input.results,
    decisions: input.decisions,
    tools,
    ...(toolChoice !== undefined && { toolChoice }),
    ...(parallelToolCalls !== undefined && { parallelToolCalls }),
    ...(instructions !== undefined && { instructions: textAt(instructions, "instructions") }),
    ...place,
    stream: booleanAt(fields, "stream") ?? false,
    ...readStorage(fields),
    ...(format && { responseFormat: format }),
    settings: readResponsesSettings(fields),
    metadata: readMetadata(fieldOf(fields, "metadata")),
    ...(user !== undefined && { user: idAt(user, "user") }),
  };
  return { ...request, echo: echoOf(request, fields) };
}

function readPlace(fields: Fields): Pick<ResponsesRequest, "previousResponseId" | "conversation"> {
  const previous = fieldOf(fields, "previous_response_id");
  const conversation = fieldOf(fields, "conversation");
  if (previous !== undefined && conversation !== undefined)
    throw wrongField("previous_response_id", "cannot be used together with conversation.");
  if (previous !== undefined) return { previousResponseId: idAt(previous, "previous_response_id") };
  if (conversation === undefined) return {};
  if (typeof conversation === "string") return { conversation: idAt(conversation, "conversation") };
  return { conversation: idAt(fieldOf(objectAt(conversation, "conversation"), "id"), "conversation.id") };
}

function readStorage(fields: Fields): Pick<ResponsesRequest, "background" | "store"> {
  const background = booleanAt(fields, "background") ?? false;
  const store = booleanAt(fields, "store") ?? true;
  if (background && !store) throw wrongField("background", "needs store: nobody could read the response.");
  return { background, store };
}

function readTextFormat(fields: Fields): JsonSchema | undefined {
  const text = fieldOf(fields, "text");
  if (text === undefined) return undefined;
  return readFormat(fieldOf(objectAt(text, "text"), "format"), "text.format", (format) => [
    format,
    "text.format",
  ]);
}

function readResponsesSettings(fields: Fields): ModelSettings {
  const reasoning = fieldOf(fields, "reasoning");
  const effort = reasoning === undefined ? undefined : fieldOf(objectAt(reasoning, "reasoning"), "effort");
  return readSettings(fields, { maxTokens: ["max_output_tokens"], effort: [effort, "reasoning.effort"] });
}

const metadataLimits = { entries: 16, key: 64, value: 512 } as const;

function readMetadata(value: unknown): Readonly<Record<string, string>> {
  if (value === undefined) return {};
  const entries = Object.entries(objectAt(value, "metadata"));
  listAt(entries, "metadata", metadataLimits.entries);
  return Object.fromEntries(
    entries.map(([key, text]) => [
      textAt(key, "metadata", metadataLimits.key),
      textAt(text, `metadata.${key.slice(0, metadataLimits.key)}`, metadataLimits.value),
    ]),
  );
}

function echoOf(request: Omit<ResponsesRequest, "echo">, fields: Fields): ResponseEcho {
  const { settings, instructions, parallelToolCalls = true, conversation, store } = request;
  const { temperature = 1, topP = 1, maxOutputTokens = null, reasoningEffort = null } = settings;
  const text = fieldOf(fields, "text");
  const format = text === undefined ? undefined : fieldOf(objectAt(text, "text"), "format");
  return {
    instructions: instructions ?? null,
    max_output_tokens: maxOutputTokens,
    parallel_tool_calls: parallelToolCalls,
    reasoning: { effort: reasoningEffort, summary: null },
    store,
    temperature,
    text: { format: format === undefined ? emptyEcho.text.format : jsonAt(format, "text.format") },
    tool_choice: choiceOf(request.toolChoice),
    tools: request.tools.map(toolOf),
    top_p: topP,
    ...(conversation !== undefined && { conversation: { id: conversation } }),
  };
}

function choiceOf(choice: ToolChoice = "auto"): JsonValue {
  return typeof choice === "string" ? choice : { type: "function", name: choice.tool };
}

function toolOf({
  name,
  description = null,
  input,
  strict = false,
}: {
  readonly name: string;
  readonly description?: string | null;
  readonly input: JsonSchema;
  readonly strict?: boolean;
}): JsonObject {
  return { type: "function", name, description, parameters: jsonAt(input, "tools"), strict };
}

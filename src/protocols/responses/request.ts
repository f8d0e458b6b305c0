import type { JsonObject, JsonValue } from "../../base/util/json.ts";
import type { ApprovalDecision } from "../../message/run-state.ts";
import type { ToolChoice } from "../../model/types.ts";
import type { ExternalResult, InputMessage } from "../../run/types.ts";
import { InputObject, readBody } from "../kit/input-object.ts";
import { limits } from "../kit/openai-limits.ts";
import { type OpenAIRequest, readRequest, type RequestForm, toolNames } from "../kit/openai-request.ts";
import { type OpenAITool, readEffort } from "../kit/openai-settings.ts";
import { readInput } from "./input-items.ts";
import { emptyEcho } from "./response-object.ts";
import type { ResponseEcho } from "./types.ts";

/** A request of Responses, checked, in Skein's terms. */
export interface ResponsesRequest extends OpenAIRequest {
  /**
   * The new messages. Without `previousResponseId` and `conversation` it is the whole history, in which what the client says of the calls of
   * other tools than its own is left out.
   */
  readonly input: readonly InputMessage[];
  /** Results of calls that wait in the server's history. Take those alone that wait for a result: a call that waits for a decision does not. */
  readonly results: readonly ExternalResult[];
  /** Decisions on calls that wait. */
  readonly decisions: readonly ApprovalDecision[];
  readonly instructions?: string;
  readonly previousResponseId?: string;
  /** The id of the conversation. */
  readonly conversation?: string;
  readonly background: boolean;
  /** Whether the response is to be kept; `true` unless the client says otherwise. */
  readonly store: boolean;
  readonly metadata: Readonly<Record<string, string>>;
  /** What the response repeats, for the options of `toResponse`. */
  readonly echo: ResponseEcho;
}

const form: RequestForm = {
  refusals: {
    prompt: "is not supported: prompts stored at OpenAI are not here",
    context_management: "is not supported: the agent decides how its history is shortened",
  },
  functionOf: (tool) => tool,
  formatOf: readTextFormat,
  schemaOwner: (format) => format,
  maxTokens: ["max_output_tokens"],
  effortOf: (body) => readEffort(body.optionalObject("reasoning"), "effort"),
  userOf: (body) => body.optionalId("user", limits.id),
};

/**
 * Reads the body of a request of Responses (https://platform.openai.com/docs/api-reference/responses/create), which nothing is assumed of.
 * What an agent cannot do, such as tools of OpenAI, stored prompts and log probabilities, is refused; fields that are about OpenAI's service,
 * such as `service_tier`, `include` and `truncation`, and unknown ones are ignored.
 * @throws InvalidInputError for a wrong field; `data.path` is its path, such as `"input[2].call_id"`. `openaiErrorOf` makes the response.
 */
export function fromResponsesRequest(value: unknown): ResponsesRequest {
  const body = readBody(value);
  const common = readRequest(body, form);
  const place = readPlace(body);
  const hasHistory = place.previousResponseId !== undefined || place.conversation !== undefined;
  const { messages, results, decisions } = readInput(body, toolNames(common), hasHistory);
  const instructions = body.optionalText("instructions", limits.text);
  const request = {
    ...common,
    input: messages,
    results,
    decisions,
    ...(instructions !== undefined && { instructions }),
    ...place,
    ...readStorage(body),
    metadata: readMetadata(body),
  };
  return { ...request, echo: echoOf(request, body) };
}

function readPlace(body: InputObject): Pick<ResponsesRequest, "previousResponseId" | "conversation"> {
  const previousResponseId = body.optionalId("previous_response_id", limits.id);
  const conversation = body.get("conversation");
  if (previousResponseId !== undefined && conversation !== undefined)
    throw body.wrong("previous_response_id", "cannot be used together with conversation");
  if (previousResponseId !== undefined) return { previousResponseId };
  if (conversation === undefined) return {};
  if (typeof conversation === "string") return { conversation: body.id("conversation", limits.id) };
  return { conversation: body.object("conversation").id("id", limits.id) };
}

function readStorage(body: InputObject): Pick<ResponsesRequest, "background" | "store"> {
  const background = body.optionalBoolean("background") ?? false;
  const store = body.optionalBoolean("store") ?? true;
  if (background && !store) throw body.wrong("background", "needs store: nobody could read the response");
  return { background, store };
}

function readTextFormat(body: InputObject): InputObject | undefined {
  return body.optionalObject("text")?.optionalObject("format");
}

const metadataLimits = { entries: 16, key: 64, value: 512 } as const;

function readMetadata(body: InputObject): Readonly<Record<string, string>> {
  const metadata = body.optionalObject("metadata");
  if (!metadata) return {};
  const keys = Object.keys(metadata.value);
  const { entries, key: longestKey, value } = metadataLimits;
  if (keys.length > entries) throw body.wrong("metadata", `must have at most ${entries} entries`);
  if (keys.some((key) => key.length > longestKey))
    throw body.wrong("metadata", `must have keys of at most ${longestKey} characters`);
  return Object.fromEntries(keys.map((key) => [key, metadata.text(key, value)]));
}

function echoOf(request: Omit<ResponsesRequest, "echo">, body: InputObject): ResponseEcho {
  const { settings, instructions, parallelToolCalls = true, conversation, store } = request;
  const { temperature = 1, topP = 1, maxOutputTokens = null, reasoningEffort = null } = settings;
  return {
    instructions: instructions ?? null,
    max_output_tokens: maxOutputTokens,
    parallel_tool_calls: parallelToolCalls,
    reasoning: { effort: reasoningEffort, summary: null },
    store,
    temperature,
    text: { format: readTextFormat(body)?.toJson() ?? emptyEcho.text.format },
    tool_choice: choiceOf(request.toolChoice),
    tools: request.tools.map(toolOf),
    top_p: topP,
    ...(conversation !== undefined && { conversation: { id: conversation } }),
  };
}

function choiceOf(choice: ToolChoice = "auto"): JsonValue {
  return typeof choice === "string" ? choice : { type: "function", name: choice.tool };
}

function toolOf({ name, description, input, strict }: OpenAITool): JsonObject {
  const parameters = new InputObject(input, "tools").toJson();
  return { type: "function", name, description: description ?? null, parameters, strict: strict === true };
}

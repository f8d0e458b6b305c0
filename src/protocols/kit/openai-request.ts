import type { ModelSettings, ToolChoice } from "../../model/types.ts";
import type { JsonSchema } from "../../schema/types.ts";
import type { InputObject } from "./input-object.ts";
import { limits } from "./openai-limits.ts";
import {
  defined,
  type OpenAITool,
  readFormat,
  readSettings,
  readToolChoice,
  readTools,
} from "./openai-settings.ts";

/** What requests of Chat Completions and of Responses have in common, checked, in Skein's terms. */
export interface OpenAIRequest {
  readonly model: string;
  /** Tools that the client executes. They must not have the names of the agent's own: else a client could say what those have done. */
  readonly tools: readonly OpenAITool[];
  readonly toolChoice?: ToolChoice;
  readonly parallelToolCalls?: boolean;
  readonly stream: boolean;
  /** The schema of the answer, for `output`. */
  readonly responseFormat?: JsonSchema;
  readonly settings: ModelSettings;
  /** Who the client says is asking. */
  readonly user?: string;
}

/** Where an API has what both have. */
export interface RequestForm {
  /** Fields that change what is asked for, in a way that an agent cannot follow: what is wrong with each. */
  readonly refusals: Readonly<Record<string, string>>;
  /** What has the name of a function, of a tool or of the choice of one. */
  readonly functionOf: (tool: InputObject) => InputObject;
  /** What has the type of the answer. */
  readonly formatOf: (body: InputObject) => InputObject | undefined;
  /** What has the schema of the answer. */
  readonly schemaOwner: (format: InputObject) => InputObject;
  /** Where the most tokens of an answer are. */
  readonly maxTokens: readonly string[];
  readonly effortOf: (body: InputObject) => ModelSettings["reasoningEffort"];
  readonly userOf: (body: InputObject) => string | undefined;
}

/**
 * Reads what requests of both APIs have.
 * @throws InvalidInputError for a wrong field.
 */
export function readRequest(body: InputObject, form: RequestForm): OpenAIRequest {
  for (const [name, problem] of Object.entries(form.refusals))
    if (body.get(name) !== undefined) throw body.wrong(name, problem);
  if ((body.optionalNumber("top_logprobs", [0, 20], true) ?? 0) > 0)
    throw body.wrong("top_logprobs", "is not supported. Leave it out");
  const tools = readTools(body, form.functionOf);
  const reasoningEffort = form.effortOf(body);
  return {
    model: body.id("model", limits.id),
    tools,
    stream: body.optionalBoolean("stream") ?? false,
    settings: { ...readSettings(body, form.maxTokens), ...(reasoningEffort && { reasoningEffort }) },
    ...defined({
      toolChoice: readToolChoice(body, tools, form.functionOf),
      parallelToolCalls: body.optionalBoolean("parallel_tool_calls"),
      responseFormat: readFormat(form.formatOf(body), form.schemaOwner),
      user: form.userOf(body),
    }),
  };
}

/** The names of the request's own tools. */
export function toolNames({ tools }: OpenAIRequest): ReadonlySet<string> {
  return new Set(tools.map(({ name }) => name));
}

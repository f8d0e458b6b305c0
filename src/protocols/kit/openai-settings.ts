import type { ModelSettings, ToolChoice } from "../../model/types.ts";
import { isPlainObjectSchema } from "../../schema/parse-output.ts";
import type { JsonSchema } from "../../schema/types.ts";
import { type InputObject, textAt } from "./input-object.ts";
import { limits } from "./openai-limits.ts";

/** A tool that the client executes: `tool()` of `skein` takes it as it is. */
export interface OpenAITool {
  readonly name: string;
  readonly description?: string;
  readonly input: JsonSchema;
  /** Set where the model must be held to the schema. */
  readonly strict?: true;
}

const toolName = /^[\w-]{1,64}$/;

/**
 * The tools of a request; names are unique.
 * @param functionOf - What a tool says of its function.
 */
export function readTools(
  body: InputObject,
  functionOf: (tool: InputObject) => InputObject,
): readonly OpenAITool[] {
  const names = new Set<string>();
  return body.optionalObjects("tools", limits.tools).map((item) => {
    if (item.get("type") !== "function")
      throw item.wrong("type", 'must be "function": tools of OpenAI and of MCP servers are not here');
    const definition = functionOf(item);
    const tool = readFunction(definition);
    if (names.has(tool.name)) throw definition.wrong("name", "is the name of another tool, too");
    names.add(tool.name);
    return tool;
  });
}

function readFunction(definition: InputObject): OpenAITool {
  const name = definition.text("name", 64);
  if (!toolName.test(name)) throw definition.wrong("name", "must be of letters, digits, _ and -");
  const description = definition.optionalText("description", limits.text);
  return {
    name,
    ...(description !== undefined && { description }),
    input: definition.optionalObject("parameters")?.toJson() ?? { type: "object", properties: {} },
    ...(definition.get("strict") === true && { strict: true }),
  };
}

/**
 * The choice of a tool.
 * @param functionOf - What has the name, in a choice that is an object.
 */
export function readToolChoice(
  body: InputObject,
  tools: readonly OpenAITool[],
  functionOf: (choice: InputObject) => InputObject,
): ToolChoice | undefined {
  const value = body.get("tool_choice");
  if (value === undefined) return undefined;
  if (typeof value === "string") return body.choice("tool_choice", ["auto", "required", "none"]);
  const choice = body.object("tool_choice");
  if (choice.get("type") !== "function")
    throw choice.wrong("type", 'must be "function": of the others there are none here');
  const name = functionOf(choice).get("name");
  const tool = tools.find((each) => each.name === name);
  if (!tool) throw body.wrong("tool_choice", "must name one of the tools of the request");
  return { tool: tool.name };
}

/**
 * The schema of the answer; `undefined` for text.
 * @param schemaOwner - What has the schema of the type `"json_schema"`: `json_schema` of the format, or the format itself.
 */
export function readFormat(
  format: InputObject | undefined,
  schemaOwner: (format: InputObject) => InputObject,
): JsonSchema | undefined {
  const type = format?.choice("type", ["text", "json_schema", "json_object"]);
  if (!format || type === "text") return undefined;
  if (type === "json_object") return { type: "object" };
  const owner = schemaOwner(format);
  const schema = owner.object("schema").toJson();
  if (!isPlainObjectSchema(schema)) throw owner.wrong("schema", 'must have the type "object"');
  return schema;
}

/** How much a model is to think, as the API has it in `name`. */
export function readEffort(object: InputObject | undefined, name: string): ModelSettings["reasoningEffort"] {
  return object?.optionalChoice(name, ["none", "minimal", "low", "medium", "high", "xhigh", "max"]);
}

/**
 * The settings that both protocols have, and those of Chat Completions.
 * @param maxTokens - Where the most tokens of an answer are: the first that is there.
 */
export function readSettings(body: InputObject, maxTokens: readonly string[]): ModelSettings {
  return defined({
    temperature: body.optionalNumber("temperature", [0, 2]),
    topP: body.optionalNumber("top_p", [0, 1]),
    maxOutputTokens: maxTokens
      .map((name) => body.optionalNumber(name, [1, Number.MAX_SAFE_INTEGER], true))
      .find((tokens) => tokens !== undefined),
    presencePenalty: body.optionalNumber("presence_penalty", [-2, 2]),
    frequencyPenalty: body.optionalNumber("frequency_penalty", [-2, 2]),
    seed: body.optionalNumber("seed", [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER], true),
    stopSequences: readStop(body),
  });
}

function readStop(body: InputObject): readonly string[] | undefined {
  const value = body.get("stop");
  if (value === undefined) return undefined;
  if (typeof value === "string") return [body.text("stop", limits.id)];
  return body.list("stop", 4).map((item, index) => textAt(item, `stop[${index}]`, limits.id));
}

/** The entries that have a value. */
export function defined<T extends object>(
  entries: T,
): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- exactly the entries without a value are left out
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

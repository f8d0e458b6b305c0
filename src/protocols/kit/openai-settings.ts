import type { ModelSettings, ToolChoice } from "../../model/types.ts";
import { isPlainObjectSchema } from "../../schema/parse-output.ts";
import type { JsonSchema } from "../../schema/types.ts";
import {
  choiceAt,
  fieldOf,
  type Fields,
  jsonAt,
  limits,
  listAt,
  numberAt,
  objectAt,
  textAt,
  wrongField,
} from "./openai-fields.ts";

/** A tool that the client executes: `tool()` of `skein` takes it as it is. */
export interface OpenAITool {
  readonly name: string;
  readonly description?: string;
  readonly input: JsonSchema;
  /** Set where the model must be held to the schema. */
  readonly strict?: true;
}

const toolName = /^[\w-]{1,64}$/;

/** The tools of a request, each as `readTool` finds its function; names are unique. */
export function readTools(
  value: unknown,
  readTool: (tool: Fields, param: string) => readonly [definition: Fields, param: string],
): readonly OpenAITool[] {
  if (value === undefined) return [];
  const names = new Set<string>();
  return listAt(value, "tools", limits.tools).map((item, index) => {
    const place = `tools[${index}]`;
    const fields = objectAt(item, place);
    const type = fieldOf(fields, "type");
    if (type !== "function")
      throw wrongField(
        `${place}.type`,
        'must be "function": tools of OpenAI and of MCP servers are not here.',
      );
    const [definition, param] = readTool(fields, place);
    const tool = readFunction(definition, param);
    if (names.has(tool.name)) throw wrongField(`${param}.name`, `is the name of another tool, too.`);
    names.add(tool.name);
    return tool;
  });
}

function readFunction(fields: Fields, param: string): OpenAITool {
  const name = textAt(fieldOf(fields, "name"), `${param}.name`, 64);
  if (!toolName.test(name)) throw wrongField(`${param}.name`, "must be of letters, digits, _ and -.");
  const description = fieldOf(fields, "description");
  const parameters = fieldOf(fields, "parameters");
  return {
    name,
    ...(description !== undefined && { description: textAt(description, `${param}.description`) }),
    input:
      parameters === undefined
        ? { type: "object", properties: {} }
        : jsonAt(parameters, `${param}.parameters`),
    ...(fieldOf(fields, "strict") === true && { strict: true }),
  };
}

/** The choice of a tool; `nameOf` finds the name in a choice that is an object. */
export function readToolChoice(
  value: unknown,
  tools: readonly OpenAITool[],
  nameOf: (choice: Fields) => unknown,
): ToolChoice | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string") return choiceAt(value, "tool_choice", ["auto", "required", "none"] as const);
  const choice = objectAt(value, "tool_choice");
  if (fieldOf(choice, "type") !== "function")
    throw wrongField("tool_choice.type", 'must be "function": of the others there are none here.');
  const name = nameOf(choice);
  const tool = tools.find((each) => each.name === name);
  if (!tool) throw wrongField("tool_choice", "must name one of the tools of the request.");
  return { tool: tool.name };
}

/**
 * The schema of the answer; `undefined` for text.
 * @param place - What has the `type` of the format.
 * @param schemaFields - Where the schema of the type `"json_schema"` is: in `json_schema`, or beside the type.
 */
export function readFormat(
  value: unknown,
  place: string,
  schemaFields: (format: Fields) => readonly [fields: Fields, param: string],
): JsonSchema | undefined {
  if (value === undefined) return undefined;
  const format = objectAt(value, place);
  const types = ["text", "json_schema", "json_object"] as const;
  const type = choiceAt(fieldOf(format, "type"), `${place}.type`, types);
  if (type === "text") return undefined;
  if (type === "json_object") return { type: "object" };
  const [fields, param] = schemaFields(format);
  const schema = jsonAt(fieldOf(fields, "schema"), `${param}.schema`);
  if (!isPlainObjectSchema(schema)) throw wrongField(`${param}.schema`, 'must have the type "object".');
  return schema;
}

const efforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

/** The settings that both protocols have, and those of Chat Completions. */
export function readSettings(
  fields: Fields,
  {
    maxTokens,
    effort,
  }: { readonly maxTokens: readonly string[]; readonly effort: readonly [unknown, string] },
): ModelSettings {
  const stop = fieldOf(fields, "stop");
  const [value, place] = effort;
  return defined({
    temperature: numberAt(fields, "temperature", [0, 2]),
    topP: numberAt(fields, "top_p", [0, 1]),
    maxOutputTokens: maxTokens
      .map((name) => numberAt(fields, name, [1, Number.MAX_SAFE_INTEGER], true))
      .find((tokens) => tokens !== undefined),
    presencePenalty: numberAt(fields, "presence_penalty", [-2, 2]),
    frequencyPenalty: numberAt(fields, "frequency_penalty", [-2, 2]),
    seed: numberAt(fields, "seed", [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER], true),
    stopSequences: stop === undefined ? undefined : readStop(stop),
    reasoningEffort: value === undefined ? undefined : choiceAt(value, place, efforts),
  });
}

function readStop(value: unknown): readonly string[] {
  if (typeof value === "string") return [textAt(value, "stop", limits.id)];
  return listAt(value, "stop", 4).map((item, index) => textAt(item, `stop[${index}]`, limits.id));
}

/** The entries that have a value. */
function defined<T extends object>(entries: T): { readonly [K in keyof T]?: Exclude<T[K], undefined> } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- exactly the entries without a value are left out
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as {
    readonly [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

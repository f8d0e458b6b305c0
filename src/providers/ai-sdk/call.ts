import type { ModelRequest, ModelSettings, OutputSpec, ToolSpec } from "../../model/types.ts";
import { wireName, WireNames } from "../../model/wire-names.ts";
import { type StrictForm, strictForm } from "../../schema/strict.ts";
import { anthropicDialect } from "../anthropic/info.ts";
import { openaiDialect } from "../openai/info.ts";
import type { JsonSchema } from "../../schema/types.ts";
import type { JsonObject } from "../../base/util/json.ts";
import { isJsonObject } from "../kit/json-values.ts";
import { promptFor } from "./older.ts";
import { promptOf } from "./prompt.ts";
import type { AiSdkCallOptions, AiSdkLanguageModel, AiSdkOptions } from "./types.ts";

/** A request in the form of a language model. */
export interface Call {
  readonly options: AiSdkCallOptions;
  readonly names: WireNames;
  /** What could not be sent as requested, one sentence each. */
  readonly warnings: readonly string[];
}

type Warn = (warning: string) => void;

/** Translates a request into the form of a model's specification. `provider` is the name in its parts' `providerData`. */
export async function callOf(
  request: ModelRequest,
  model: AiSdkLanguageModel,
  {
    provider,
    filesInResults = supportsFilesInResults(model),
    providerTools,
  }: AiSdkOptions & { readonly provider: string },
): Promise<Call> {
  const warnings = new Set<string>();
  const warn: Warn = (warning) => void warnings.add(warning);
  const { instructions, messages, settings = {} } = request;
  const urls = (await model.supportedUrls) ?? {};
  const target = { provider, family: model.provider, urls, filesInResults, warn };
  const prompt = promptOf(instructions, messages, target);
  const options: AiSdkCallOptions = {
    prompt: promptFor(model.specificationVersion, prompt),
    ...toolOptions(request, model, providerTools, warn),
    ...outputOption(request, model, warn),
    ...settingOptions(settings, model, warn),
    ...providerOptions(request, model, warn),
  };
  return { options, names: new WireNames(namesIn(request)), warnings: [...warnings] };
}

/** Packages for Chat Completions send images of results as JSON text; Gemini before 3 loses a result that has images. */
function supportsFilesInResults({ provider, specificationVersion }: AiSdkLanguageModel): boolean {
  return (
    /anthropic|bedrock/.test(provider) || (specificationVersion !== "v2" && provider.endsWith(".responses"))
  );
}

function namesIn({ tools = [], messages }: ModelRequest): Set<string> {
  const names = new Set(tools.map(({ name }) => name));
  for (const message of messages) {
    if (message.role === "assistant") for (const call of message.toolCalls) names.add(call.toolName);
  }
  return names;
}

type ToolOptions = Pick<AiSdkCallOptions, "tools" | "toolChoice">;

function toolOptions(
  { tools = [], toolChoice, messages }: ModelRequest,
  model: AiSdkLanguageModel,
  providerTools: AiSdkOptions["providerTools"] = {},
  warn: Warn,
): ToolOptions {
  const type = model.specificationVersion === "v2" ? "provider-defined" : "provider";
  const own = Object.entries(providerTools).map(([name, { id, args }]) => ({ type, id, name, args }));
  if (tools.length + own.length === 0) return historyTools(messages, model);
  const isNamed = typeof toolChoice === "object";
  return {
    tools: [...own, ...tools.map((tool) => toolOption(tool, model, warn))],
    ...(toolChoice !== undefined && {
      toolChoice: isNamed ? { type: "tool", toolName: wireName(toolChoice.tool) } : { type: toolChoice },
    }),
  };
}

/** Declares the tools of a history with calls for Anthropic's API, which refuses it without, such as after a handoff. */
function historyTools(
  messages: ModelRequest["messages"],
  { provider, specificationVersion }: AiSdkLanguageModel,
): ToolOptions {
  const names = namesIn({ messages });
  if (names.size === 0 || !provider.includes("anthropic")) return {};
  const description = "Not available now.";
  const inputSchema = { type: "object", properties: {} };
  const tools = [...names].map((name) => ({
    type: "function",
    name: wireName(name),
    description,
    inputSchema,
  }));
  // Its packages for V2 and V3 send no tools at all for "none".
  return specificationVersion === "v4" ? { tools, toolChoice: { type: "none" } } : { tools };
}

function toolOption(
  { name, description, inputSchema, strict }: ToolSpec,
  { provider, specificationVersion }: AiSdkLanguageModel,
  warn: Warn,
): object {
  const form = strict ? strictFormFor(provider, inputSchema) : undefined;
  if (form?.ok === false) warn(`The tool ${name} is sent without strict: ${form.reason}.`);
  const isStrict = form ? form.ok : strict;
  const supportsStrict = specificationVersion !== "v2";
  if (isStrict && !supportsStrict)
    warn(`The tool ${name} is sent without strict, which specification V2 does not support.`);
  return {
    type: "function",
    name: wireName(name),
    ...(description !== undefined && { description: description.toWellFormed() }),
    inputSchema: form?.ok && supportsStrict ? form.schema : inputSchema,
    ...(isStrict !== undefined && supportsStrict && { strict: isStrict }),
  };
}

/** The schema in the strict form of a provider; `undefined` for a provider that accepts it unchanged. */
function strictFormFor(provider: string, schema: JsonSchema): StrictForm | undefined {
  if (/^(?:openai|azure)/.test(provider)) return strictForm(schema, openaiDialect);
  return provider.includes("anthropic") ? strictForm(schema, anthropicDialect) : undefined;
}

/** Whether an output schema can be sent to the model's provider: it has a strict form, or needs none. */
export function supportsSchema({ provider }: AiSdkLanguageModel, { schema }: OutputSpec): boolean {
  return strictFormFor(provider, schema)?.ok !== false;
}

function outputOption(
  { output }: ModelRequest,
  { provider }: AiSdkLanguageModel,
  warn: Warn,
): Pick<AiSdkCallOptions, "responseFormat"> {
  if (!output) return {};
  const form = strictFormFor(provider, output.schema);
  if (form?.ok === false) warn(`The output schema is sent unchanged: ${form.reason}.`);
  const schema = form?.ok ? form.schema : output.schema;
  return { responseFormat: { type: "json", name: output.name, schema } };
}

type SettingOptions = Omit<
  AiSdkCallOptions,
  "prompt" | "tools" | "toolChoice" | "responseFormat" | "providerOptions"
>;

function settingOptions(settings: ModelSettings, model: AiSdkLanguageModel, warn: Warn): SettingOptions {
  const { temperature, topP, maxOutputTokens, seed, presencePenalty, frequencyPenalty } = settings;
  const { stopSequences, reasoningEffort } = settings;
  const numbers = { temperature, topP, maxOutputTokens, seed, presencePenalty, frequencyPenalty };
  const isV4 = model.specificationVersion === "v4";
  const version = model.specificationVersion.toUpperCase();
  if (reasoningEffort !== undefined && !isV4)
    warn(
      `Specification ${version} does not support reasoningEffort: it is left out. Set it in providerOptions.${keyOf(model)}.`,
    );
  for (const name of ["logprobs", "topLogprobs"] as const) {
    if (settings[name])
      warn(
        `The AI SDK does not support ${name}: it is left out. Some providers accept it in providerOptions.`,
      );
  }
  if (settings.cache === "5m" || settings.cache === "1h")
    warn("The AI SDK does not support cache: it is left out. Some providers accept it in providerOptions.");
  return {
    ...Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== undefined)),
    ...(stopSequences && stopSequences.length > 0 && { stopSequences: [...stopSequences] }),
    ...(reasoningEffort !== undefined && isV4 && { reasoning: reasoningEffort }),
  };
}

/** The options for parallel calls, by the name under which a provider reads its options. */
const parallelOptions: Readonly<Record<string, (isAllowed: boolean) => JsonObject>> = {
  openai: (parallelToolCalls) => ({ parallelToolCalls }),
  azure: (parallelToolCalls) => ({ parallelToolCalls }),
  groq: (parallelToolCalls) => ({ parallelToolCalls }),
  mistral: (parallelToolCalls) => ({ parallelToolCalls }),
  anthropic: (isAllowed) => ({ disableParallelToolUse: !isAllowed }),
};

/** The caller's options, which the AI SDK groups by provider, merged with those that Skein sets. */
function providerOptions(
  { parallelToolCalls, tools = [], settings }: ModelRequest,
  model: AiSdkLanguageModel,
  warn: Warn,
): Pick<AiSdkCallOptions, "providerOptions"> {
  const key = keyOf(model);
  const options = new Map<string, JsonObject>();
  if (parallelToolCalls !== undefined && tools.length > 0) {
    const write = Object.hasOwn(parallelOptions, key) ? parallelOptions[key] : undefined;
    if (write) options.set(key, write(parallelToolCalls));
    else warn(`The AI SDK does not support parallelToolCalls for ${model.provider}: it is left out.`);
  }
  for (const [name, value] of Object.entries(settings?.providerOptions ?? {})) {
    if (isJsonObject(value)) options.set(name, { ...options.get(name), ...value });
    else
      warn(`providerOptions.${name} must be in the group of a provider. Write { ${key}: { ${name}: ... } }.`);
  }
  return options.size === 0 ? {} : { providerOptions: Object.fromEntries(options) };
}

/** The name under which a provider reads its options: the first word of `"openai.responses"`. */
function keyOf({ provider }: AiSdkLanguageModel): string {
  return provider.split(".", 1)[0] ?? provider;
}

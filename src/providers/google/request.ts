import { ConfigurationError } from "../../errors.ts";
import type { ModelRequest, ModelSettings, OutputSpec } from "../../model/types.ts";
import { cachedJson } from "../../model/wire-text.ts";
import { strictForm } from "../../schema/strict.ts";
import type { JsonObject } from "../../base/util/json.ts";
import { collectToolNames } from "../kit/called-names.ts";
import type { EncodedRequest } from "../kit/http-model.ts";
import { joinFields, type JoinRules } from "../kit/join-fields.ts";
import { mapToolNames, type ToolNames } from "../kit/tool-names.ts";
import type { Warn } from "../kit/turns.ts";
import { type Capabilities, capabilitiesOf } from "./capabilities.ts";
import { type Content, requestHistory } from "./contents.ts";
import { describeHostedTool } from "../../model/hosted-tool.ts";
import type { GoogleTool } from "./hosted-tools.ts";
import { googleInfo } from "./info.ts";
import { thinkingConfig } from "./thinking.ts";
import { type ToolFields, toolFields, wireToolName } from "./tools.ts";

/** A request, ready to be sent. */
export interface BuiltRequest extends EncodedRequest {
  /** The history comes last, so that the next request begins like this one. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly names: ToolNames;
}

/** The target of a request. */
export interface RequestTarget {
  readonly provider: string;
  readonly modelId: string;
  readonly isFirstParty: boolean;
  /** Where stored files are: the base URL with the version. */
  readonly filesURL?: string;
  /** Tools that Google executes. */
  readonly providerTools?: readonly GoogleTool[] | undefined;
}

/** Depth 2, since `generationConfig.thinkingConfig` is the deepest object with several fields. */
const joinRules: JoinRules = { lists: new Set(["tools"]), depth: 2 };

/** The fields of a body, without the history. */
interface RequestFields extends ToolFields {
  readonly systemInstruction?: Pick<Content, "parts">;
  readonly generationConfig?: JsonObject;
}

/**
 * Builds the body of a request to the Gemini API (https://ai.google.dev/api/generate-content). `settings.providerOptions` win: their
 * `tools` are added to the request's, their objects are merged with the request's, and any other field replaces the request's.
 * With `cachedContent`, which contains instructions and tools, those are left out: the API refuses both together.
 */
export function buildRequest(request: ModelRequest, target: RequestTarget): BuiltRequest {
  const warnings = new Set<string>();
  const warn: Warn = (warning) => void warnings.add(warning);
  const capabilities = capabilitiesOf(target.modelId);
  const names = mapToolNames(collectToolNames(request), wireToolName);
  const { system, contents } = requestHistory(request.instructions, request.messages, {
    provider: target.provider,
    modelId: target.modelId,
    isFirstParty: target.isFirstParty,
    filesURL: target.filesURL,
    names,
    requiresSignatures: capabilities.requiresSignatures,
    mediaInResults: capabilities.mediaInResults,
    warn,
  });
  const options = request.settings?.providerOptions ?? {};
  warnOfLifetime(request.settings?.cache, warn);
  const generationConfig = configFields(request, capabilities, target, warn);
  const fields: RequestFields = {
    ...(options["cachedContent"] === undefined && {
      ...(system !== undefined && { systemInstruction: { parts: [{ text: system }] } }),
      ...toolFields(request, { names, hosted: hostedFor(request, capabilities, target) }, warn),
    }),
    ...(Object.keys(generationConfig).length > 0 && { generationConfig }),
  };
  return { body: withOptions(fields, options, contents), names, warnings: [...warnings] };
}

/**
 * The tools that Google executes, in its form.
 * @throws ConfigurationError if the model accepts them only without functions (https://ai.google.dev/gemini-api/docs/tool-combination).
 */
function hostedFor(
  { tools = [] }: ModelRequest,
  { mixedTools }: Capabilities,
  { modelId, providerTools = [] }: RequestTarget,
): readonly JsonObject[] {
  const [first] = providerTools;
  if (first && tools.length > 0 && mixedTools === false)
    throw new ConfigurationError(
      `${modelId} refuses ${describeHostedTool(first)} together with functions, such as ${tools[0]?.name}. ` +
        "Use Gemini 3 or later, or another agent for the search.",
      { code: "invalid-option", data: { option: "providerTools" } },
    );
  return providerTools.map(({ definition }) => definition);
}

/** Gemini caches prompts by itself, for a time of its own (https://ai.google.dev/gemini-api/docs/caching). */
function warnOfLifetime(cache: ModelSettings["cache"], warn: Warn): void {
  if (cache !== "5m" && cache !== "1h") return;
  warn(
    "The Gemini API caches prompts by itself: settings.cache is left out. " +
      "For a time of your own, create a cache and set providerOptions.cachedContent.",
  );
}

function withOptions(
  fields: RequestFields,
  { contents: ownContents, ...options }: JsonObject,
  contents: readonly Content[],
): Record<string, unknown> {
  return {
    ...joinFields(fields, options, joinRules),
    contents: ownContents ?? cachedJson([...contents]),
  };
}

/** `generationConfig` (https://ai.google.dev/api/generate-content#generationconfig). */
function configFields(
  { settings = {}, output }: ModelRequest,
  capabilities: Capabilities,
  { isFirstParty }: RequestTarget,
  warn: Warn,
): JsonObject {
  const { temperature, topP, maxOutputTokens, stopSequences = [], seed, logprobs, topLogprobs } = settings;
  const { presencePenalty, frequencyPenalty, reasoningEffort } = settings;
  const hasPenalties = presencePenalty !== undefined || frequencyPenalty !== undefined;
  const supportsPenalties = capabilities.penalties || !isFirstParty;
  if (hasPenalties && !supportsPenalties)
    warn("This model does not support presencePenalty and frequencyPenalty: they are left out.");
  const thinking = thinkingConfig(reasoningEffort, capabilities.thinking, warn);
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(stopSequences.length > 0 && { stopSequences: [...stopSequences] }),
    ...(seed !== undefined && { seed }),
    ...(supportsPenalties && presencePenalty !== undefined && { presencePenalty }),
    ...(supportsPenalties && frequencyPenalty !== undefined && { frequencyPenalty }),
    ...((logprobs || topLogprobs !== undefined) && { responseLogprobs: true }),
    ...(topLogprobs !== undefined && { logprobs: topLogprobs }),
    ...(thinking && { thinkingConfig: thinking }),
    ...(output && outputFields(output, warn)),
  };
}

/** The output schema (https://ai.google.dev/gemini-api/docs/structured-output). */
function outputFields({ schema }: OutputSpec, warn: Warn): JsonObject {
  const form = strictForm(schema, googleInfo.strict);
  if (!form.ok) warn(`The output schema is sent unchanged: ${form.reason}.`);
  const responseJsonSchema: unknown = form.ok ? form.schema : schema;
  return { responseMimeType: "application/json", ...asJson({ responseJsonSchema }) };
}

/** Converts a schema to the type `JsonObject`: it is JSON, but its type does not say so. */
function asJson(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value));
}

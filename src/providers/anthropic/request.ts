import type { Tool, ToolChoice } from "@anthropic-ai/sdk/resources/messages";
import type { ModelRequest, ModelSettings, ToolSpec } from "../../model/types.ts";
import { invalidOption } from "../../base/options/known-options.ts";
import { cachedJson } from "../../model/wire-text.ts";
import { strictForm } from "../../schema/strict.ts";
import { type Capabilities, capabilitiesOf } from "./capabilities.ts";
import { containerField } from "./container.ts";
import { collectCalledNames, collectToolNames } from "../kit/called-names.ts";
import type { EncodedRequest } from "../kit/http-model.ts";
import { joinFields, type JoinRules } from "../kit/join-fields.ts";
import type { ToolNames } from "../kit/tool-names.ts";
import type { Warn } from "../kit/turns.ts";
import { anthropicInfo } from "./info.ts";
import { toolNames } from "./names.ts";
import { breakpointFor, markMessages, markSystem, markTools } from "./prompt-cache.ts";
import { requestHistory } from "./request-messages.ts";
import { filesBeta, isStoredFile } from "./request-parts.ts";
import type { AnthropicTool } from "./tools.ts";
import { bindingBeta, type Thinking, thinkingFor } from "./thinking.ts";
import type { HostedParam, RequestFields, RequestMessage } from "./wire.ts";

/** A request, ready to be sent. */
export interface BuiltRequest extends EncodedRequest {
  /** The JSON body. The history comes last, so that the next request starts with the same text. */
  readonly body: Readonly<Record<string, unknown>>;
  /** The values of `anthropic-beta` that the body requires. */
  readonly betas: readonly string[];
  readonly names: ToolNames;
}

const joinRules: JoinRules = { lists: new Set(["tools"]) };

/** The target of a request. */
export interface RequestTarget {
  readonly provider: string;
  readonly modelId: string;
  /** Whether it goes to Anthropic's own API. */
  readonly isFirstParty: boolean;
  /** Tools that Anthropic executes. */
  readonly providerTools?: readonly AnthropicTool[];
}

/**
 * Builds the body of a request to the Messages API (https://platform.claude.com/docs/en/api/messages).
 * `max_tokens`, which the API requires, is 64,000 by default (Claude before 4.6: 32,000; before 3.7: 8,192 or 4,096;
 * other makers' models: 8,192). `settings.providerOptions` win: their `tools` are added to the request's, their objects
 * are merged with the request's, and any other field replaces the request's.
 */
export function buildRequest(request: ModelRequest, target: RequestTarget): BuiltRequest {
  const warnings = new Set<string>();
  const warn: Warn = (warning) => void warnings.add(warning);
  const { settings = {} } = request;
  const capabilities = capabilitiesOf(target.modelId);
  const names = toolNames(collectToolNames(request));
  const { system, messages } = requestHistory(request.instructions, request.messages, {
    provider: target.provider,
    modelId: target.modelId,
    names,
    allowsPrefill: capabilities.prefill,
    warn,
  });
  const hosted = hostedParams(target);
  // First, since all agents with the model share them.
  const own = toolParams(request, names, warn);
  if (request.tools?.length) assertDistinct(hosted, own);
  const tools = [...hosted, ...own];
  const toolChoice = toolChoiceParam(request, tools.length, {
    hosted: hosted.length,
    names,
    capabilities,
    warn,
  });
  const maxTokens = settings.maxOutputTokens ?? capabilities.defaultMaxTokens;
  const thinking = thinkingFor(request, {
    capabilities,
    maxTokens,
    isForced: toolChoice?.type === "any" || toolChoice?.type === "tool",
    isFirstParty: target.isFirstParty,
    continuesWithoutThinking: continuesWithoutThinking(messages),
    warn,
  });
  warnOfUnsupported(settings, warn);
  const breakpoint = breakpointFor(request, { messages, hosted: hosted.length }, warn);
  const fields: RequestFields = {
    model: target.modelId,
    max_tokens: maxTokens,
    stream: true,
    ...samplingParams(settings, { capabilities, thinking, warn }),
    ...stopSequencesParam(settings, warn),
    ...(thinking.thinking && { thinking: thinking.thinking }),
    ...outputConfig(request, thinking, warn),
    ...(toolChoice && { tool_choice: toolChoice }),
    ...(tools.length > 0 && { tools: markTools(tools, breakpoint) }),
    ...(system !== undefined && { system: markSystem(system, breakpoint) }),
    ...containerField(request.messages, target, settings.providerOptions ?? {}),
  };
  const { messages: ownMessages, ...options } = settings.providerOptions ?? {};
  const marked = markMessages(messages, breakpoint);
  const isBound = thinking.thinking?.type === "adaptive" && thinking.thinking.block_binding !== undefined;
  return {
    body: {
      ...joinFields(fields, options, joinRules),
      messages: ownMessages ?? cachedJson(marked.messages, marked.stableCount),
    },
    betas: [...(isBound ? [bindingBeta] : []), ...(hasStoredFile(request, target) ? [filesBeta] : [])],
    names,
    warnings: [...warnings],
  };
}

function hasStoredFile({ messages }: ModelRequest, { provider }: RequestTarget): boolean {
  return messages.some((message) => {
    if (message.role !== "user" && message.role !== "tool") return false;
    const content = message.role === "tool" ? message.result.content : message.content;
    return typeof content !== "string" && content.some((part) => isStoredFile(part, provider));
  });
}

function outputConfig(
  { output }: ModelRequest,
  { effort }: Thinking,
  warn: Warn,
): Pick<RequestFields, "output_config"> {
  const form = output && strictForm(output.schema, anthropicInfo.strict);
  if (form?.ok === false) warn(`The output schema is left out: ${form.reason}.`);
  const format = form?.ok && { format: { type: "json_schema" as const, schema: { ...form.schema } } };
  return effort || format ? { output_config: { ...(effort && { effort }), ...format } } : {};
}

/** The tools that Anthropic executes. Their options are its own names already. */
function hostedParams({ providerTools = [] }: RequestTarget): HostedParam[] {
  return providerTools.map(({ definition }) => definition);
}

/** @throws ConfigurationError for a tool of the agent with the name of one that Anthropic executes: the API refuses each request then. */
function assertDistinct(hosted: readonly HostedParam[], own: readonly Tool[]): void {
  const names = new Set<unknown>(hosted.map(({ name }) => name));
  const clash = own.find(({ name }) => names.has(name));
  if (clash)
    throw invalidOption(
      `The tool ${clash.name} has the name of a tool in providerTools. Give it another: tool(${clash.name}, { name: "..." }).`,
      { option: "providerTools" },
    );
}

/** The tools. The API requires them for a history with calls, even if the agent has none, such as after a handoff. */
function toolParams({ tools = [], messages }: ModelRequest, names: ToolNames, warn: Warn): Tool[] {
  if (tools.length > 0) return tools.map((tool) => toolParam(tool, names, warn));
  return [...new Set(collectCalledNames(messages).map((name) => names.toWire(name)))].map((name) => ({
    name,
    description: "Not available now.",
    input_schema: { type: "object" },
  }));
}

function toolParam({ name, description, inputSchema, strict }: ToolSpec, names: ToolNames, warn: Warn): Tool {
  const form = strict ? strictForm(inputSchema, anthropicInfo.strict) : undefined;
  if (form?.ok === false) warn(`The tool ${name} is sent without strict: ${form.reason}.`);
  const schema = form?.ok ? form.schema : inputSchema;
  const isStrict = form ? form.ok : strict;
  return {
    name: names.toWire(name),
    ...(description !== undefined && { description }),
    input_schema: { ...schema, type: "object" },
    ...(isStrict !== undefined && { strict: isStrict }),
  };
}

interface Parts {
  /** How many tools Anthropic executes. */
  readonly hosted: number;
  readonly names: ToolNames;
  readonly capabilities: Capabilities;
  readonly warn: Warn;
}

function toolChoiceParam(request: ModelRequest, toolCount: number, parts: Parts): ToolChoice | undefined {
  if (toolCount === 0) return undefined;
  // Only calls of the history are declared.
  if (!request.tools?.length && parts.hosted === 0) return { type: "none" };
  const { toolChoice, parallelToolCalls } = request;
  if (toolChoice === "none") return { type: "none" };
  const single = parallelToolCalls === false ? { disable_parallel_tool_use: true } : {};
  if (toolChoice === "required" || typeof toolChoice === "object") {
    if (parts.capabilities.forcedToolUse) return { ...forced(toolChoice, parts.names), ...single };
    parts.warn("This model cannot be forced to call a tool: toolChoice is sent as auto.");
  } else if (toolChoice === undefined && parallelToolCalls !== false) {
    return undefined;
  }
  return { type: "auto", ...single };
}

function forced(toolChoice: "required" | { readonly tool: string }, names: ToolNames): ToolChoice {
  return toolChoice === "required" ? { type: "any" } : { type: "tool", name: names.toWire(toolChoice.tool) };
}

/** Whether the last message has the results of an answer that does not start with thinking. */
function continuesWithoutThinking(messages: readonly RequestMessage[]): boolean {
  const [answer, results] = messages.slice(-2);
  if (results?.content[0]?.type !== "tool_result") return false;
  const first = answer?.content[0]?.type;
  return first !== "thinking" && first !== "redacted_thinking";
}

interface Sampling {
  readonly temperature?: number;
  readonly top_p?: number;
}

function samplingParams(
  { temperature, topP }: ModelSettings,
  { capabilities, thinking, warn }: { capabilities: Capabilities; thinking: Thinking; warn: Warn },
): Sampling {
  if (temperature === undefined && topP === undefined) return {};
  if (capabilities.sampling === "none") {
    warn("This model does not support temperature and topP: they are left out.");
    return {};
  }
  const type = thinking.thinking?.type;
  if (type === "adaptive" || type === "enabled") {
    warn("The API refuses temperature and topP together with thinking: they are left out.");
    return {};
  }
  if (temperature === undefined) return { ...(topP !== undefined && { top_p: topP }) };
  const capped = Math.min(1, Math.max(0, temperature));
  if (capped !== temperature)
    warn(`The Messages API accepts a temperature from 0 to 1: it is sent as ${capped}.`);
  if (topP === undefined) return { temperature: capped };
  if (capabilities.sampling === "both") return { temperature: capped, top_p: topP };
  warn("This model supports either temperature or topP: topP is left out.");
  return { temperature: capped };
}

function stopSequencesParam(
  { stopSequences = [] }: ModelSettings,
  warn: Warn,
): { readonly stop_sequences?: string[] } {
  const visible = stopSequences.filter((sequence) => sequence.trim() !== "");
  if (visible.length < stopSequences.length)
    warn("The Messages API does not accept a blank stop sequence: it is left out.");
  return visible.length === 0 ? {} : { stop_sequences: visible };
}

const unsupportedSettings = [
  "seed",
  "presencePenalty",
  "frequencyPenalty",
  "logprobs",
  "topLogprobs",
] as const satisfies (keyof ModelSettings)[];

function warnOfUnsupported(settings: ModelSettings, warn: Warn): void {
  for (const name of unsupportedSettings) {
    const value = settings[name];
    if (value !== undefined && value !== false)
      warn(`The Messages API does not support ${name}: it is left out.`);
  }
}

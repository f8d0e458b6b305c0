/**
 * The names of OpenTelemetry's conventions for generative AI (github.com/open-telemetry/semantic-conventions-genai), as of November
 * 2026. Constants of our own: the package of constants has only names that were given up.
 */

/** What a span is of. */
export const operations = { agent: "invoke_agent", chat: "chat", tool: "execute_tool" } as const;

/** Names of attributes; where one was renamed and backends still read the old name, both. */
export const attribute = {
  operation: "gen_ai.operation.name",
  provider: "gen_ai.provider.name",
  conversation: "gen_ai.conversation.id",
  compacted: "gen_ai.conversation.compacted",
  agentName: "gen_ai.agent.name",
  agentDescription: "gen_ai.agent.description",
  outputType: "gen_ai.output.type",
  requestModel: "gen_ai.request.model",
  stream: "gen_ai.request.stream",
  maxTokens: "gen_ai.request.max_tokens",
  temperature: "gen_ai.request.temperature",
  topP: "gen_ai.request.top_p",
  stopSequences: "gen_ai.request.stop_sequences",
  seed: "gen_ai.request.seed",
  frequencyPenalty: "gen_ai.request.frequency_penalty",
  presencePenalty: "gen_ai.request.presence_penalty",
  reasoningLevel: "gen_ai.request.reasoning.level",
  responseId: "gen_ai.response.id",
  responseModel: "gen_ai.response.model",
  finishReasons: "gen_ai.response.finish_reasons",
  firstChunk: "gen_ai.response.time_to_first_chunk",
  inputTokens: "gen_ai.usage.input_tokens",
  outputTokens: "gen_ai.usage.output_tokens",
  cacheRead: "gen_ai.usage.cache_read.input_tokens",
  cacheWrite: "gen_ai.usage.cache_write.input_tokens",
  cacheCreation: "gen_ai.usage.cache_creation.input_tokens",
  reasoningTokens: "gen_ai.usage.reasoning.output_tokens",
  serverAddress: "server.address",
  serverPort: "server.port",
  errorType: "error.type",
  toolName: "gen_ai.tool.name",
  toolDescription: "gen_ai.tool.description",
  toolType: "gen_ai.tool.type",
  toolCallId: "gen_ai.tool.call.id",
  toolArguments: "gen_ai.tool.call.arguments",
  toolResult: "gen_ai.tool.call.result",
  instructions: "gen_ai.system_instructions",
  inputMessages: "gen_ai.input.messages",
  outputMessages: "gen_ai.output.messages",
  toolDefinitions: "gen_ai.tool.definitions",
  tokenType: "gen_ai.token.type",
  tokenModality: "gen_ai.token.modality",
  runId: "skein.run.id",
  runStatus: "skein.run.status",
  runTurns: "skein.run.turns",
  attempts: "skein.model.attempts",
  outcome: "skein.tool.outcome",
  cached: "skein.tool.cached",
} as const;

/** The event of the logs that has the content of a model call. */
export const detailsEvent = "gen_ai.client.inference.operation.details";

/** Events of the span of a model call. */
export const spanEvent = { retry: "skein.retry", fallback: "skein.fallback" } as const;

/** Attributes of those events. */
export const failureAttribute = {
  provider: "skein.failure.provider",
  model: "skein.failure.model",
  attempt: "skein.failure.attempt",
  delay: "skein.failure.delay_ms",
} as const;

/** What stands for a name that a model made up: names of spans and metrics are few. */
export const other = "_OTHER";

/** Providers whose names the conventions have in another form. */
const providerNames: ReadonlyMap<string, string> = new Map([
  ["google", "gcp.gemini"],
  ["google-vertex", "gcp.vertex_ai"],
  ["vertex", "gcp.vertex_ai"],
  ["mistral", "mistral_ai"],
  ["xai", "x_ai"],
  ["amazon-bedrock", "aws.bedrock"],
  ["azure", "azure.ai.openai"],
  ["moonshotai", "moonshot_ai"],
]);

/** A provider as the conventions call it: `"google.generative-ai"` of the AI SDK is Google's, too. */
export function providerName(provider: string): string {
  const dot = provider.indexOf(".");
  return providerNames.get(dot < 0 ? provider : provider.slice(0, dot)) ?? provider;
}

/** A provider as Skein calls it: the inverse of `providerName`. */
export function providerOfName(name: string): string {
  return [...providerNames].find(([, convention]) => convention === name)?.[0] ?? name;
}

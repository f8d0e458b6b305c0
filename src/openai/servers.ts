import type { ModelRequest, ModelSettings } from "../model/types.ts";
import type { Connection } from "./options.ts";

/** How a server, or some of its models, differ from the protocol. */
interface Difference {
  readonly host: RegExp;
  readonly models?: RegExp;
  /** What it refuses, or passes over in silence. */
  readonly lacks: readonly (keyof ModelSettings | "toolChoice" | "parallelToolCalls")[];
  /** Fields of Chat Completions that it calls otherwise, or (`undefined`) refuses since it does by itself what they ask for. */
  readonly chatFields?: Readonly<Record<string, string | undefined>>;
  /** What asks Chat Completions not to reason, where that is no effort of `none`. */
  readonly chatWithoutReasoning?: object;
}

/** Models of OpenAI's that do not reason: they refuse to be asked to. */
export const nonReasoning: RegExp = /^(?:ft:)?(?:gpt-[34]|chatgpt-|gpt-5(?:\.\d+)?-chat)/;

/**
 * Sources: https://platform.openai.com/docs/guides/reasoning, https://console.groq.com/docs/openai,
 * https://inference-docs.cerebras.ai/resources/openai, https://docs.mistral.ai/api, https://docs.x.ai/docs/guides/reasoning,
 * https://api-docs.deepseek.com/api/create-chat-completion, https://docs.ollama.com/api/openai-compatibility.
 */
const differences: readonly Difference[] = [
  {
    host: /(?:^|\.)openai\.com$/,
    // Later ones take them while they are not told to reason.
    models: /^(?:ft:)?(?:o[134](?:-|$)|gpt-5(?:-(?!chat)|$))/,
    lacks: ["temperature", "topP", "presencePenalty", "frequencyPenalty", "logprobs", "topLogprobs"],
  },
  { host: /(?:^|\.)openai\.com$/, models: nonReasoning, lacks: ["reasoningEffort"] },
  { host: /(?:^|\.)groq\.com$/, lacks: ["logprobs", "topLogprobs"] },
  { host: /(?:^|\.)cerebras\.ai$/, lacks: ["presencePenalty", "frequencyPenalty"] },
  {
    host: /(?:^|\.)mistral\.ai$/,
    lacks: ["logprobs", "topLogprobs"],
    chatFields: { seed: "random_seed", stream_options: undefined },
  },
  {
    host: /(?:^|\.)deepseek\.com$/,
    lacks: ["seed", "parallelToolCalls"],
    chatWithoutReasoning: { thinking: { type: "disabled" } },
  },
  {
    host: /(?:^|\.)x\.ai$/,
    models: /^grok-(?:3-mini|4|code)(?!.*non-reasoning)/,
    lacks: ["presencePenalty", "frequencyPenalty", "stopSequences"],
  },
  { host: /(?:^|\.)ollama\.com$/, lacks: ["toolChoice", "parallelToolCalls"] },
];

/** What is so anyway, asked for or not. */
const harmless: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["toolChoice", "auto"],
  ["parallelToolCalls", true],
  ["logprobs", false],
  ["reasoningEffort", "none"],
]);

type Server = Pick<Connection, "host" | "modelId" | "provider">;

/** The request without what its server does not know; each of that is a warning. */
export function askable(request: ModelRequest, server: Server, warnings: string[]): ModelRequest {
  const { lacks = [] } = differenceOf(server) ?? {};
  const { toolChoice, parallelToolCalls, settings, ...rest } = request;
  const asked = new Map<string, unknown>(Object.entries({ toolChoice, parallelToolCalls, ...settings }));
  const lacking = lacks.filter((name) => asked.get(name) !== undefined);
  if (lacking.length === 0) return request;
  for (const name of lacking) {
    if (asked.get(name) === harmless.get(name)) continue;
    const what = Object.hasOwn(settings ?? {}, name) ? `settings.${name}` : name;
    warnings.push(`${what} was left out: ${server.modelId} of ${server.host} does not know it.`);
  }
  const without = (name: string): boolean => !lacking.some((one) => one === name);
  return {
    ...rest,
    ...(without("toolChoice") && toolChoice !== undefined && { toolChoice }),
    ...(without("parallelToolCalls") && parallelToolCalls !== undefined && { parallelToolCalls }),
    settings: Object.fromEntries(Object.entries(settings ?? {}).filter(([name]) => without(name))),
  };
}

/** A body of Chat Completions in the words of its server. */
export function inWordsOf(server: Server, body: object): object {
  const { chatFields = {}, chatWithoutReasoning } = differenceOf(server) ?? {};
  const words = new Map<string, unknown>();
  for (const [field, value] of Object.entries(body)) {
    const name = Object.hasOwn(chatFields, field) ? chatFields[field] : field;
    const isOff = chatWithoutReasoning !== undefined && field === "reasoning_effort" && value === "none";
    if (isOff) for (const entry of Object.entries(chatWithoutReasoning)) words.set(...entry);
    else if (name !== undefined) words.set(name, value);
  }
  return Object.fromEntries(words);
}

function differenceOf({ host, modelId, provider }: Server): Difference | undefined {
  // Ollama mostly runs on a machine of one's own.
  const name = provider === "ollama" ? "ollama.com" : host;
  return differences.find((one) => one.host.test(name) && (one.models?.test(modelId) ?? true));
}

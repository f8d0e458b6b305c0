import type { ModelRequest, ModelSettings } from "../../model/types.ts";
import type { Connection } from "./options.ts";

/** How a server, or some of its models, differ from the protocol. */
interface Difference {
  /** The end of the host's name. */
  readonly host: string;
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
    host: "openai.com",
    // Later ones take them while they are not told to reason.
    models: /^(?:ft:)?(?:o[134](?:-|$)|gpt-5(?:-(?!chat)|$))/,
    lacks: ["temperature", "topP", "presencePenalty", "frequencyPenalty", "logprobs", "topLogprobs"],
  },
  { host: "openai.com", models: nonReasoning, lacks: ["reasoningEffort"] },
  { host: "groq.com", lacks: ["logprobs", "topLogprobs"] },
  { host: "cerebras.ai", lacks: ["presencePenalty", "frequencyPenalty"] },
  {
    host: "mistral.ai",
    lacks: ["logprobs", "topLogprobs"],
    chatFields: { seed: "random_seed", stream_options: undefined },
  },
  {
    host: "deepseek.com",
    lacks: ["seed", "parallelToolCalls"],
    chatWithoutReasoning: { thinking: { type: "disabled" } },
  },
  {
    host: "x.ai",
    models: /^grok-(?:3-mini|4|code)(?!.*non-reasoning)/,
    lacks: ["presencePenalty", "frequencyPenalty", "stopSequences"],
  },
  { host: "ollama.com", lacks: ["toolChoice", "parallelToolCalls"] },
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
  const lacks = differenceOf(server)?.lacks;
  if (!lacks) return request;
  const settings = { ...request.settings };
  const known = { ...request, settings };
  for (const name of lacks) {
    const isSetting = name !== "toolChoice" && name !== "parallelToolCalls";
    const place = isSetting ? settings : known;
    const value: unknown = Reflect.get(place, name);
    Reflect.deleteProperty(place, name);
    if (value === undefined || value === harmless.get(name)) continue;
    const { modelId, host } = server;
    warnings.push(
      `${isSetting ? "settings." : ""}${name} was left out: ${modelId} of ${host} does not know it.`,
    );
  }
  return known;
}

/** A body of Chat Completions in the words of its server. */
export function inWordsOf(server: Server, body: object): object {
  const difference = differenceOf(server);
  if (!difference) return body;
  const { chatFields = {}, chatWithoutReasoning } = difference;
  const words = new Map<string, unknown>();
  for (const [field, value] of Object.entries(body)) {
    const name = Object.hasOwn(chatFields, field) ? chatFields[field] : field;
    const isOff = chatWithoutReasoning !== undefined && field === "reasoning_effort" && value === "none";
    if (isOff) for (const entry of Object.entries(chatWithoutReasoning)) words.set(...entry);
    else if (name !== undefined) words.set(name, value);
  }
  return Object.fromEntries(words);
}

/** Connections last, and are asked about with every request. */
const differing = new WeakMap<Server, { readonly difference: Difference | undefined }>();

function differenceOf(server: Server): Difference | undefined {
  let found = differing.get(server);
  if (!found) differing.set(server, (found = { difference: findDifference(server) }));
  return found.difference;
}

function findDifference({ host, modelId, provider }: Server): Difference | undefined {
  // Ollama mostly runs on a machine of one's own.
  const name = provider === "ollama" ? "ollama.com" : host;
  return differences.find(
    (one) => `.${name}`.endsWith(`.${one.host}`) && (one.models?.test(modelId) ?? true),
  );
}

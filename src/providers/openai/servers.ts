import type { ModelRequest, ModelSettings } from "../../model/types.ts";
import type { Connection } from "./options.ts";

/** How a server, or some of its models, differs from the protocol. */
interface Difference {
  /** The end of the host's name. */
  readonly host: string;
  readonly models?: RegExp;
  /** What it refuses or ignores. */
  readonly lacks: readonly (keyof ModelSettings | "toolChoice" | "parallelToolCalls")[];
  /** Fields of Chat Completions that it names differently or, if `undefined`, refuses since that is its only behaviour. */
  readonly chatFields?: Readonly<Record<string, string | undefined>>;
  /** The fields that turn reasoning off in Chat Completions, if an effort of `none` does not. */
  readonly chatWithoutReasoning?: object;
}

/** Matches OpenAI's models that do not reason: they refuse the settings for it. */
export const nonReasoning: RegExp = /^(?:ft:)?(?:gpt-[34]|chatgpt-|gpt-5(?:\.\d+)?-chat)/;

/**
 * Sources: https://platform.openai.com/docs/guides/reasoning, https://console.groq.com/docs/openai,
 * https://inference-docs.cerebras.ai/resources/openai, https://docs.mistral.ai/api, https://docs.x.ai/docs/guides/reasoning,
 * https://api-docs.deepseek.com/api/create-chat-completion, https://docs.ollama.com/api/openai-compatibility.
 */
const differences: readonly Difference[] = [
  {
    host: "openai.com",
    // Later models support them while they do not reason.
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

/** Values that equal the server's behaviour without the setting: leaving them out needs no warning. */
const harmless: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["toolChoice", "auto"],
  ["parallelToolCalls", true],
  ["logprobs", false],
  ["reasoningEffort", "none"],
]);

type Server = Pick<Connection, "host" | "modelId" | "provider">;

/** Drops what the server does not support from a request, with a warning for each. */
export function dropUnsupported(request: ModelRequest, server: Server, warnings: string[]): ModelRequest {
  const lacks = differenceOf(server)?.lacks;
  if (!lacks) return request;
  const settings = { ...request.settings };
  const reduced = { ...request, settings };
  for (const name of lacks) {
    const isSetting = name !== "toolChoice" && name !== "parallelToolCalls";
    const place = isSetting ? settings : reduced;
    const value: unknown = Reflect.get(place, name);
    Reflect.deleteProperty(place, name);
    if (value === undefined || value === harmless.get(name)) continue;
    const { modelId, host } = server;
    warnings.push(
      `${isSetting ? "settings." : ""}${name} is left out: ${modelId} of ${host} does not support it.`,
    );
  }
  return reduced;
}

/** Renames the fields of a Chat Completions body for its server. */
export function renameFields(server: Server, body: object): object {
  const difference = differenceOf(server);
  if (!difference) return body;
  const { chatFields = {}, chatWithoutReasoning } = difference;
  const fields = new Map<string, unknown>();
  for (const [field, value] of Object.entries(body)) {
    const name = Object.hasOwn(chatFields, field) ? chatFields[field] : field;
    const isOff = chatWithoutReasoning !== undefined && field === "reasoning_effort" && value === "none";
    if (isOff) for (const entry of Object.entries(chatWithoutReasoning)) fields.set(...entry);
    else if (name !== undefined) fields.set(name, value);
  }
  return Object.fromEntries(fields);
}

/** By connection, since a connection lasts and every request looks it up. */
const differenceByServer = new WeakMap<Server, { readonly difference: Difference | undefined }>();

function differenceOf(server: Server): Difference | undefined {
  let entry = differenceByServer.get(server);
  if (!entry) differenceByServer.set(server, (entry = { difference: findDifference(server) }));
  return entry.difference;
}

function findDifference({ host, modelId, provider }: Server): Difference | undefined {
  // Ollama usually runs on a local machine, whose host name says nothing.
  const name = provider === "ollama" ? "ollama.com" : host;
  return differences.find(
    (one) => `.${name}`.endsWith(`.${one.host}`) && (one.models?.test(modelId) ?? true),
  );
}

import { ModelNotFoundError } from "../../errors.ts";
import type { Model } from "../../model/types.ts";
import { firstOllamaModel, ollamaAddress } from "./ollama.ts";
import { modelForms, unknownName } from "./unknown-name.ts";

/** The model where only `ANTHROPIC_API_KEY` says what to use: Anthropic's everyday tier, of the ids in `@anthropic-ai/sdk`. */
const defaultAnthropicModel = "claude-sonnet-5-5";
/** The model where only `OPENAI_API_KEY` says what to use: OpenAI's everyday tier, of the ids in the `openai` package. */
const defaultOpenAIModel = "gpt-6.1-sol";

/** Makes models of one provider from their ids. */
type Provider = (modelId: string) => Promise<Model>;

/**
 * What may stand before the colon of a model's name. OpenAI's own models from GPT-5.4 on refuse tools over Chat
 * Completions, so `openai:` speaks Responses to OpenAI; other servers (`OPENAI_BASE_URL`) mostly know Chat Completions only.
 */
const providers: ReadonlyMap<string, Provider> = new Map<string, Provider>([
  ["openai", (modelId) => (process.env["OPENAI_BASE_URL"] ? openaiChat(modelId) : openaiResponses(modelId))],
  ["openai-chat", openaiChat],
  ["openai-responses", openaiResponses],
  ["anthropic", async (modelId) => (await import("../anthropic/index.ts")).anthropic(modelId)],
  ["google", async (modelId) => (await import("../google/index.ts")).google(modelId)],
  ["ollama", ollama],
]);

/**
 * The model of that name: `openai:gpt-5.2` (`openai-chat:` and `openai-responses:` choose the API), `anthropic:claude-...`,
 * `ollama:qwen3` or `offline`. Its provider is loaded now; keys are looked for when the model is first called.
 * @throws ModelNotFoundError if the name is none of these, with the nearest.
 */
export async function modelFromName(name: string): Promise<Model> {
  return named(name.trim(), `"${name}"`);
}

/**
 * The model where a program names none: `SKEIN_MODEL`, else the default model of the provider whose key is set
 * (`ANTHROPIC_API_KEY`, then `OPENAI_API_KEY`), else the first chat model of an Ollama that answers within 300 ms.
 * @throws ModelNotFoundError if there is none of these.
 */
export async function defaultModel(): Promise<Model> {
  const { SKEIN_MODEL, ANTHROPIC_API_KEY, OPENAI_API_KEY } = process.env;
  if (SKEIN_MODEL?.trim()) return named(SKEIN_MODEL.trim(), `SKEIN_MODEL is "${SKEIN_MODEL}", which`);
  if (ANTHROPIC_API_KEY) return named(`anthropic:${defaultAnthropicModel}`);
  if (OPENAI_API_KEY) return named(`openai:${defaultOpenAIModel}`);
  const local = await firstOllamaModel();
  if (local !== undefined) return ollama(local);
  throw new ModelNotFoundError(
    "No model is given, and none can be found. Do one of these: set ANTHROPIC_API_KEY or OPENAI_API_KEY; " +
      `set SKEIN_MODEL to a name (${modelForms}); start Ollama with a model pulled; ` +
      'or give the agent a model: new Agent({ model: "offline", ... }) needs no key, but follows keyword rules.',
  );
}

async function named(name: string, subject = `"${name}"`): Promise<Model> {
  if (name === "offline") return (await import("../offline/index.ts")).offline();
  const colon = name.indexOf(":");
  const provider = colon > 0 ? providers.get(name.slice(0, colon)) : undefined;
  const modelId = name.slice(colon + 1);
  if (!provider || !modelId) throw unknownName(name, subject, [...providers.keys()]);
  return provider(modelId);
}

async function openaiChat(modelId: string): Promise<Model> {
  return (await import("../openai/index.ts")).openai(modelId);
}

async function openaiResponses(modelId: string): Promise<Model> {
  return (await import("../openai/index.ts")).openai.responses(modelId);
}

async function ollama(modelId: string): Promise<Model> {
  const { openai } = await import("../openai/index.ts");
  return openai(modelId, { provider: "ollama", baseURL: `${ollamaAddress()}/v1`, apiKey: "ollama" });
}

import { ModelNotFoundError } from "../../errors.ts";
import type { Model } from "../../model/types.ts";
import { firstOllamaModel, ollamaAddress } from "./ollama.ts";
import { keyVariables, modelForms, providers } from "./registry.ts";
import { unknownName } from "./unknown-name.ts";

/**
 * The model with a name: `openai:gpt-5.2` (`openai-chat:` and `openai-responses:` choose the API), `anthropic:claude-...`,
 * `google:gemini-...`, `ollama:qwen3` or `offline`. Its provider is loaded now; keys are read at the first request.
 * @throws ModelNotFoundError for any other name. Its message suggests the closest one.
 */
export async function modelFromName(name: string): Promise<Model> {
  return openNamed(name.trim(), `"${name}"`);
}

/**
 * The model for a program that names none: `SKEIN_MODEL`, else the default model of the first provider whose key is set (Anthropic,
 * OpenAI, Google), else the first chat model of an Ollama server that answers within 300 ms.
 * @throws ModelNotFoundError if the environment names a model that does not exist, or names none and Ollama does not answer.
 */
export async function defaultModel(): Promise<Model> {
  const { SKEIN_MODEL } = process.env;
  if (SKEIN_MODEL?.trim()) return openNamed(SKEIN_MODEL.trim(), `SKEIN_MODEL is "${SKEIN_MODEL}", which`);
  const entry = providers.find(({ info }) => info.keyVariables.some((name) => process.env[name]));
  if (entry) return entry.open(entry.info.defaultModel, entry.info.name);
  const local = await firstOllamaModel();
  if (local !== undefined) return openOllama(local);
  throw new ModelNotFoundError(
    `The agent has no model, and the environment names none. Do one of these: set ${keyVariables}; ` +
      `set SKEIN_MODEL to a name (${modelForms}); start Ollama with a model pulled; ` +
      'or give the agent a model: new Agent({ model: "offline", ... }) needs no key, but follows keyword rules.',
  );
}

async function openNamed(name: string, subject: string): Promise<Model> {
  if (name === "offline") return (await import("../offline/index.ts")).offline();
  const colon = name.indexOf(":");
  const prefix = name.slice(0, Math.max(0, colon));
  const modelId = name.slice(colon + 1);
  if (prefix === "ollama" && modelId) return openOllama(modelId);
  const entry = providers.find(({ info }) => info.name === prefix || info.otherPrefixes?.includes(prefix));
  if (!entry || !modelId) throw unknownName(name, subject);
  return entry.open(modelId, prefix);
}

async function openOllama(modelId: string): Promise<Model> {
  const { openai } = await import("../openai/index.ts");
  return openai(modelId, { provider: "ollama", baseURL: `${ollamaAddress()}/v1`, apiKey: "ollama" });
}

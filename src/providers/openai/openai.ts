import type { Model } from "../../model/types.ts";
import { chatModel } from "./chat/model.ts";
import { assertUsable, type OpenAIOptions } from "./options.ts";
import { responsesModel } from "./responses/model.ts";

/** Makes models of OpenAI's, or of any server that speaks its protocols. */
export interface OpenAI {
  /**
   * A model reached through Chat Completions, which compatible servers speak, too.
   * @param modelId - Such as `"gpt-5.2"`
   */
  (modelId: string, options?: OpenAIOptions): Model;
  /**
   * A model reached through the Responses API: reasoning is kept, encrypted, from one turn to the next.
   * @param modelId - Such as `"gpt-5.2"`
   */
  responses(modelId: string, options?: OpenAIOptions): Model;
}

/**
 * Makes a model of OpenAI's. The key is looked for at the first request: `options.apiKey`, else `OPENAI_API_KEY`.
 * With `baseURL` it is any compatible server's, such as `http://localhost:11434/v1` (Ollama).
 * @throws ConfigurationError for an unknown option, an id that is none and a base URL or key that cannot be sent.
 */
export const openai: OpenAI = Object.assign(
  (modelId: string, options: OpenAIOptions = {}): Model => {
    assertUsable(modelId, options, "openai");
    return chatModel(modelId, options);
  },
  {
    responses(modelId: string, options: OpenAIOptions = {}): Model {
      assertUsable(modelId, options, "openai.responses");
      return responsesModel(modelId, options);
    },
  },
);

import type { Model } from "../../model/types.ts";
import { chatModel } from "./chat/model.ts";
import { assertUsable, type OpenAIOptions } from "./options.ts";
import { responsesModel } from "./responses/model.ts";

/** Creates models of OpenAI, or of any compatible server. */
export interface OpenAI {
  /**
   * A model of the Chat Completions API, which compatible servers also support.
   * @param modelId - Such as `"gpt-5.2"`
   */
  (modelId: string, options?: OpenAIOptions): Model;
  /**
   * A model of the Responses API, which preserves encrypted reasoning from one turn to the next.
   * @param modelId - Such as `"gpt-5.2"`
   */
  responses(modelId: string, options?: OpenAIOptions): Model;
}

/**
 * Creates a model of OpenAI. The key is read at the first request: `options.apiKey`, else `OPENAI_API_KEY`.
 * With `baseURL`, requests go to a compatible server, such as `http://localhost:11434/v1` (Ollama).
 * @throws ConfigurationError for an unknown option, and for an invalid model id, base URL or key.
 */
// oxlint-disable-next-line no-restricted-properties -- a literal of this file, onto a function of this file
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

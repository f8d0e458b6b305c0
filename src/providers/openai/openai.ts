import type { Model } from "../../model/types.ts";
import { chatModel } from "./chat/model.ts";
import {
  assertNoProviderTools,
  assertResponsesUsable,
  assertUsable,
  type OpenAIOptions,
  type OpenAIResponsesOptions,
} from "./options.ts";
import { responsesModel } from "./responses/model.ts";
import { openaiTools, type OpenAITools } from "./tools.ts";

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
  responses(modelId: string, options?: OpenAIResponsesOptions): Model;
  /** Tools that OpenAI executes, for `providerTools` of a model of the Responses API. */
  readonly tools: OpenAITools;
}

/**
 * Creates a model of OpenAI. The key is read at the first request: `options.apiKey`, else `OPENAI_API_KEY`.
 * With `baseURL`, requests go to a compatible server, such as `http://localhost:11434/v1` (Ollama).
 * @throws ConfigurationError for an unknown option, and for an invalid model id, base URL or key; for `providerTools` of Chat Completions.
 */
// oxlint-disable-next-line no-restricted-properties -- a literal of this file, onto a function of this file
export const openai: OpenAI = Object.assign(
  (modelId: string, options: OpenAIOptions = {}): Model => {
    assertNoProviderTools(modelId, options);
    assertUsable(modelId, options, "openai");
    return chatModel(modelId, options);
  },
  {
    responses(modelId: string, options: OpenAIResponsesOptions = {}): Model {
      assertResponsesUsable(modelId, options);
      return responsesModel(modelId, options);
    },
    tools: openaiTools,
  },
);

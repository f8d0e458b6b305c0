import { ModelNotFoundError } from "../../errors.ts";
import type { Model } from "../../model/types.ts";

const remedy =
  'Pass a Model object to the agent: import { openai } from "skein/openai", and new Agent({ model: openai("gpt-5.2", { apiKey }), ... }).';

/**
 * This runtime cannot load models by name.
 * @throws ModelNotFoundError always. Its message says what to do.
 */
export function modelFromName(name: string): Promise<Model> {
  return unavailable(`The model "${name}" cannot be loaded by name on this runtime. ${remedy}`);
}

/**
 * This runtime has no default model.
 * @throws ModelNotFoundError always. Its message says what to do.
 */
export function defaultModel(): Promise<Model> {
  return unavailable(
    `The agent has no model, and this runtime has no environment that could name one. ${remedy}`,
  );
}

function unavailable(message: string): Promise<never> {
  return Promise.reject(new ModelNotFoundError(message, { runtime: "unknown" }));
}

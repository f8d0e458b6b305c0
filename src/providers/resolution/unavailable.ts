import { ModelNotFoundError } from "../../errors.ts";
import type { Model } from "../../model/types.ts";

const remedy =
  'Give the agent a Model object: import { openai } from "skein/openai", and new Agent({ model: openai("gpt-5.2", { apiKey }), ... }).';

/**
 * Models are not found by name on this runtime.
 * @throws ModelNotFoundError always, naming the remedy.
 */
export function modelFromName(name: string): Promise<Model> {
  return unavailable(`The model "${name}" cannot be found by its name on this runtime. ${remedy}`);
}

/**
 * No model is chosen for a program on this runtime.
 * @throws ModelNotFoundError always, naming the remedy.
 */
export function defaultModel(): Promise<Model> {
  return unavailable(`No model is given, and this runtime has no environment to find one in. ${remedy}`);
}

function unavailable(message: string): Promise<never> {
  return Promise.reject(new ModelNotFoundError(message, { runtime: "unknown" }));
}

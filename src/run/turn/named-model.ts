import type { Model } from "../../model/types.ts";

const named = new Map<string, Promise<Model>>();

/** A model by its name, such as `"openai:gpt-5.2"`. */
export function modelNamed(name: string): Promise<Model> {
  const cached = named.get(name);
  if (cached) return cached;
  const model = import("#model-resolution").then(({ modelFromName }) => modelFromName(name));
  named.set(name, model);
  // A key that is set later must be found later.
  model.catch(() => named.delete(name));
  return model;
}

import type { Model } from "../../model/types.ts";
import type { ActiveRun } from "../state/active-run.ts";

/**
 * The model of a turn: the run's override, else the agent's own, else the one used last in this run, else the
 * caller's, else whatever the environment names.
 * @throws ModelNotFoundError if there is none.
 */
export function modelOfTurn(run: ActiveRun): Model | Promise<Model> {
  const chosen = run.config.options.model ?? run.agent.model ?? run.model ?? run.config.callersModel;
  if (typeof chosen === "object") return chosen;
  return chosen === undefined ? fromEnvironment() : modelNamed(chosen);
}

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

async function fromEnvironment(): Promise<Model> {
  const { defaultModel } = await import("#model-resolution");
  return defaultModel();
}

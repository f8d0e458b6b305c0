import { findAgent } from "../../agent/handoff.ts";
import type { Model } from "../../model/types.ts";
import { modelNamed } from "./named-model.ts";
import type { ActiveRun } from "../state/active-run.ts";

/**
 * The model of a turn: the run's override, else the agent's own, else the one used last in this run, else the
 * caller's, else whatever the environment names.
 * @throws ModelNotFoundError if there is none.
 */
export function modelOfTurn(run: ActiveRun): Model | Promise<Model> {
  const chosen = chosenModel(run);
  if (typeof chosen === "object") return chosen;
  return chosen === undefined ? fromEnvironment() : modelNamed(chosen);
}

/** The model that a run would call next, or its name; `undefined` where the environment has to name one. */
export function chosenModel(run: ActiveRun): Model | string | undefined {
  const { options, callersModel } = run.config;
  return options.model ?? run.agent.model ?? run.model ?? callersModel ?? earlierModel(run);
}

/** In a conversation that began in another run, the model used last is that of the agent that answered last. */
function earlierModel({ config, conversation }: ActiveRun): Model | string | undefined {
  const { messages, inputLength } = conversation;
  for (let index = inputLength - 1; index >= 0; index--) {
    const message = messages[index];
    const agent = message?.role === "assistant" && message.agent !== undefined;
    const model = agent ? findAgent(message.agent, config.roots)?.model : undefined;
    if (model !== undefined) return model;
  }
  return undefined;
}

async function fromEnvironment(): Promise<Model> {
  const { defaultModel } = await import("#model-resolution");
  return defaultModel();
}

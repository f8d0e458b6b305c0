import type { Model } from "../../model/types.ts";
import { loadEnvironmentModel } from "../features.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { chosenModel } from "./chosen-model.ts";
import { modelNamed } from "./named-model.ts";

/**
 * The model of a turn: the run's override, else the agent's own, else the one used last in this run, else the
 * caller's, else whatever the environment names.
 * @throws ModelNotFoundError if there is none.
 */
export function modelOfTurn(run: ActiveRun): Model | Promise<Model> {
  const chosen = chosenModel(run);
  if (typeof chosen === "object") return chosen;
  if (chosen !== undefined) return modelNamed(chosen);
  return loadEnvironmentModel().then(({ environmentModel }) => environmentModel(run));
}

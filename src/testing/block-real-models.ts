import { setRealModelsBlocked } from "../model/real-models.ts";

/**
 * Forbids every request to a model that is not on this machine: it throws a `ConfigurationError` (`real-model-blocked`)
 * before anything is sent. Call it in the setup file of a test suite.
 * @returns a function that allows such requests again.
 */
export function blockRealModels(): () => void {
  setRealModelsBlocked(true);
  return () => setRealModelsBlocked(false);
}

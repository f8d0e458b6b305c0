import { assertSettings } from "../../model/check-settings.ts";
import type { Model, ModelSettings } from "../../model/types.ts";
import { invalidOption } from "../../base/options/known-options.ts";
import { asModel, describeModel } from "./wrapped.ts";

/** Settings that a model can have of its own: how often it is asked again is the run's, or that of `retry`. */
export type OwnSettings = Omit<ModelSettings, "maxRetries">;

/**
 * A model with settings of its own. Those of the agent or the request win, one by one; the fields of `providerOptions` are put
 * together likewise.
 * @throws ConfigurationError if a setting is misspelled, and for `maxRetries`.
 */
export function withSettings(model: Model | string, settings: OwnSettings): Model {
  assertSettings(settings, "withSettings()");
  if (Object.hasOwn(settings, "maxRetries"))
    throw invalidOption("withSettings() cannot set maxRetries: use retry(model, { times }).", {
      option: "maxRetries",
    });
  const inner = asModel(model, "withSettings()");
  return {
    ...describeModel(inner),
    stream: (request) => inner.stream({ ...request, settings: merged(settings, request.settings) }),
  };
}

function merged(own: OwnSettings, asked: ModelSettings = {}): ModelSettings {
  const providerOptions = { ...own.providerOptions, ...asked.providerOptions };
  return { ...own, ...asked, ...(Object.keys(providerOptions).length > 0 && { providerOptions }) };
}

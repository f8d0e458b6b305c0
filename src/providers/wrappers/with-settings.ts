import { assertSettings } from "../../model/check-settings.ts";
import { markSelfTimed, modelEvents } from "../../model/model-events.ts";
import type { Model, ModelSettings } from "../../model/types.ts";
import { invalidOption } from "../../base/options/known-options.ts";
import { asModel, describeModel } from "./wrapped.ts";

/** The settings that a model can have. Retries are set in the run, or with `retry`. */
export type OwnSettings = Omit<ModelSettings, "maxRetries">;

/**
 * A model with default settings. Each setting of the agent or the request replaces the model's; the fields of `providerOptions` are
 * merged in the same way.
 * @throws ConfigurationError if a setting is misspelled, and for `maxRetries`.
 */
export function withSettings(model: Model | string, settings: OwnSettings): Model {
  if (settings === undefined)
    throw invalidOption("withSettings() requires settings. Write withSettings(model, { temperature: 0 }).", {
      option: "settings",
    });
  assertSettings(settings, "withSettings()");
  if (Object.hasOwn(settings, "maxRetries"))
    throw invalidOption("withSettings() cannot set maxRetries. Use retry(model, { times }).", {
      option: "maxRetries",
    });
  const inner = asModel(model, "withSettings()");
  return {
    ...describeModel(inner),
    stream: markSelfTimed((request) =>
      modelEvents(inner, { ...request, settings: mergeSettings(settings, request.settings) }),
    ),
  };
}

function mergeSettings(own: OwnSettings, requested: ModelSettings = {}): ModelSettings {
  const providerOptions = { ...own.providerOptions, ...requested.providerOptions };
  return { ...own, ...requested, ...(Object.keys(providerOptions).length > 0 && { providerOptions }) };
}

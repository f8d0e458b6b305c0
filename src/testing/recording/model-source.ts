import { ConfigurationError } from "../../errors.ts";
import type { Model } from "../../model/types.ts";
import { type FetchWrapper, wrapFetchOf } from "../../model/wire-seam.ts";

/**
 * A model; or how it is made with a `fetch`, for those whose requests Skein cannot reach by itself: models of your own, and
 * wrappers around others. It is called once for each request.
 */
export type ModelSource = Model | ((fetch: typeof globalThis.fetch) => Model);

/** The model with its `fetch` wrapped; `undefined` where that cannot be reached. */
export function overWire(source: ModelSource, wrap: FetchWrapper): Model | undefined {
  return typeof source === "function" ? source(wrap(globalThis.fetch)) : wrapFetchOf(source, wrap);
}

/** What a model that stands for another one says of itself. */
export function describeModel(model: Model): Omit<Model, "stream"> {
  const { provider, modelId } = model;
  return { provider, modelId, supportsOutput: (output) => model.supportsOutput?.(output) === true };
}

/** The model itself. */
export function modelOf(source: ModelSource): Model {
  const model = typeof source === "function" ? source(globalThis.fetch) : source;
  if (typeof model?.stream === "function") return model;
  throw new ConfigurationError("Pass a Model, or a function that creates one with its fetch argument.", {
    code: "invalid-model",
  });
}

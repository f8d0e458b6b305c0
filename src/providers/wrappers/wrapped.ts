import { assertGeneration } from "../../model/assert-generation.ts";
import { assertModel } from "../../model/check-settings.ts";
import { markSelfTimed, modelEvents } from "../../model/model-events.ts";
import type { StartedAnswer } from "../../model/stream-model.ts";
import type { Generation, Model, ModelEvent } from "../../model/types.ts";
import { invalidOption } from "../../base/options/known-options.ts";
import { modelNamed } from "../../run/turn/named-model.ts";

/**
 * The model itself, or the model with that name, which is loaded at the first request.
 * @param place - The call as it is written in messages, such as `retry()`.
 * @throws ConfigurationError unless it is a `Model` or a name.
 */
export function asModel(model: Model | string, place: string): Model {
  if (model === undefined)
    throw invalidOption(`${place} requires a model. Pass a Model, or a name such as "openai:gpt-5.2".`, {
      option: "model",
    });
  assertModel(model, place);
  return typeof model === "string" ? modelByName(model) : model;
}

function modelByName(name: string): Model {
  const colon = name.indexOf(":");
  return {
    provider: colon > 0 ? name.slice(0, colon) : name,
    modelId: name.slice(colon + 1),
    warm: async () => (await (await modelNamed(name)).warm?.()) === true,
    stream: markSelfTimed(async function* (request) {
      const model = await modelNamed(name);
      request.signal?.throwIfAborted();
      for await (const event of modelEvents(model, request)) yield nameProvider(model, event);
    }),
  };
}

/** The properties of a model that wraps another one, without `stream`. */
export function describeModel(model: Model): Omit<Model, "stream"> {
  const { provider, modelId, providerTools } = model;
  return {
    provider,
    modelId,
    ...(providerTools && { providerTools }),
    supportsOutput: (output) => model.supportsOutput?.(output) === true,
    warm: async () => (await model.warm?.()) === true,
    ...(model.abandon && { abandon: (note) => model.abandon?.(note) ?? Promise.resolve() }),
  };
}

/** The event, with the provider that answered in its generation if it is the last one. */
export function nameProvider(model: Model, event: ModelEvent): ModelEvent {
  const { provider } = model;
  if (event.type === "finish") assertGeneration(event.generation, model);
  return withGeneration(event, ({ response }) => ({ response: { provider, ...response } }));
}

/** The event, with changes to its generation if it is the last one. */
export function withGeneration(
  event: ModelEvent,
  changes: (generation: Generation) => Partial<Generation>,
): ModelEvent {
  if (event.type !== "finish") return event;
  const { generation } = event;
  return { type: "finish", generation: { ...generation, ...changes(generation) } };
}

/** All events of an answer that has started. Leaving early ends the request. */
export async function* readAnswer({ first, events }: StartedAnswer): AsyncGenerator<ModelEvent, void> {
  try {
    yield first;
    for (let next = await events.next(); !next.done; next = await events.next()) yield next.value;
  } finally {
    await events.return?.();
  }
}

/** The name of a model in messages. */
export function nameOf({ provider, modelId }: Model): string {
  return `${provider}:${modelId}`;
}

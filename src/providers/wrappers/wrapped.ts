import { assertModel } from "../../model/check-settings.ts";
import type { StartedAnswer } from "../../model/stream-model.ts";
import type { Generation, Model, ModelEvent } from "../../model/types.ts";
import { invalidOption } from "../../base/options/known-options.ts";
import { modelNamed } from "../../run/turn/model-of-turn.ts";

/**
 * The model itself, or the one of that name, which is loaded when it is first asked.
 * @param place how the call is written, such as `retry()`.
 * @throws ConfigurationError unless it is a `Model` or a name.
 */
export function asModel(model: Model | string, place: string): Model {
  if (model === undefined) throw invalidOption(`${place} takes a model.`, { option: "model" });
  assertModel(model, place);
  return typeof model === "string" ? named(model) : model;
}

function named(name: string): Model {
  const colon = name.indexOf(":");
  return {
    provider: colon > 0 ? name.slice(0, colon) : name,
    modelId: name.slice(colon + 1),
    async *stream(request): AsyncGenerator<ModelEvent, void> {
      const model = await modelNamed(name);
      request.signal?.throwIfAborted();
      for await (const event of model.stream(request)) yield answeredBy(model, event);
    },
  };
}

/** What a model that wraps another one says of itself. */
export function describeModel(model: Model): Omit<Model, "stream"> {
  const { provider, modelId } = model;
  return { provider, modelId, supportsOutput: (output) => model.supportsOutput?.(output) === true };
}

/** An event of a model that is asked on another's behalf: its generation says who answered. */
export function answeredBy({ provider }: Model, event: ModelEvent): ModelEvent {
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

/** All events of an answer that has begun. Leaving early ends it. */
export async function* allOf({ first, events }: StartedAnswer): AsyncGenerator<ModelEvent, void> {
  try {
    yield first;
    for (let next = await events.next(); !next.done; next = await events.next()) yield next.value;
  } finally {
    await events.return?.();
  }
}

/** How a model is called in texts. */
export function nameOf({ provider, modelId }: Model): string {
  return `${provider}:${modelId}`;
}

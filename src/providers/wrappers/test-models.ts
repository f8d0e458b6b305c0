import { RateLimitError, type ModelErrorOptions } from "../../errors.ts";
import type { Generation, Model, ModelEvent, ModelRequest } from "../../model/types.ts";

/** A request with nothing but a question. */
export function ask(text = "Hello", more: Partial<ModelRequest> = {}): ModelRequest {
  return { messages: [{ role: "user", content: text }], ...more };
}

/** All events of one answer. */
export async function eventsOf(model: Model, request: ModelRequest = ask()): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model.stream(request)) events.push(event);
  return events;
}

/** The generation of one answer. */
export async function answerOf(model: Model, request: ModelRequest = ask()): Promise<Generation> {
  const last = (await eventsOf(model, request)).at(-1);
  if (last?.type !== "finish") throw new TypeError("The answer has no finish event.");
  return last.generation;
}

/** The error of an answer that fails. */
export async function failureOf(model: Model, request: ModelRequest = ask()): Promise<unknown> {
  return eventsOf(model, request).then(
    () => new TypeError("The answer did not fail."),
    (error: unknown) => error,
  );
}

/** The error of a provider that had too many requests. */
export function tooMany(options: Partial<ModelErrorOptions> = {}): RateLimitError {
  return new RateLimitError("too many", { provider: "test", modelId: "test", ...options });
}

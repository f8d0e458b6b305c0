import type { Model, ModelEvent, ModelRequest } from "../../model/types.ts";

/** Stands around an answer that a program asks for itself, outside of runs, and changes nothing. */
export type AnswerWatch = (
  model: Model,
  request: ModelRequest,
  next: (request: ModelRequest) => AsyncGenerator<ModelEvent, void>,
) => AsyncGenerator<ModelEvent, void>;

const watches = new Set<AnswerWatch>();

/** Watches all answers of `generate` and `generateStream` that begin from now on, until the returned function is called. */
export function watchAnswers(watch: AnswerWatch): () => void {
  watches.add(watch);
  return () => void watches.delete(watch);
}

/** The events of an answer, within what watches it. */
export const watchedAnswer: AnswerWatch = (model, request, next) =>
  [...watches].reduce((inner, watch) => (each: ModelRequest) => watch(model, each, inner), next)(request);

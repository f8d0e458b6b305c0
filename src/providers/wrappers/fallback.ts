import { ContentFilterError, ContextLengthError, InvalidRequestError, ModelError } from "../../errors.ts";
import { type StartedAnswer, firstEvent } from "../../model/stream-model.ts";
import type { Model, ModelEvent, ModelRequest } from "../../model/types.ts";
import { assertKnownOptions, invalidOption } from "../../base/options/known-options.ts";
import { allOf, answeredBy, asModel, nameOf, withGeneration } from "./wrapped.ts";

/** When to ask the next model. */
export interface FallbackOptions {
  /** Whether the next model is asked after an error; see `fallback` for the default. Cancellation never gets here. */
  readonly on?: (error: unknown) => boolean;
  /** Milliseconds for which a model that failed is asked last, or longer if its provider says so; 30,000 by default. */
  readonly cooldown?: number;
}

const optionNames = { on: true, cooldown: true } as const satisfies Record<keyof FallbackOptions, true>;

/** One of the models, and how it fared. */
interface Member {
  readonly model: Model;
  /** By the clock of `performance.now()`. */
  restsUntil: number;
  /** The code of the error that sent it to rest. */
  failure: string;
}

/** An answer that has begun, and whose it is. */
interface Answer {
  readonly begun: StartedAnswer;
  readonly member: Member;
}

/**
 * The first of several models that answers. The next one is asked only before the first event, after whatever another model
 * may not suffer from: all model errors but a request that is wrong (a model that is not there, 404, is another matter) or
 * refused for its content. If none answers, the last error is thrown. Where it was not the first model that answered, a
 * warning of the generation says so. To ask each several times: `fallback([retry(a), retry(b)])`.
 * @throws ConfigurationError for options that cannot be meant.
 */
export function fallback(models: readonly (Model | string)[], options: FallbackOptions = {}): Model {
  assertKnownOptions(options, optionNames, "fallback()");
  const { on = isElsewhere, cooldown = 30_000 } = options;
  if (!(cooldown >= 0))
    throw invalidOption(`cooldown is ${cooldown}: it must be a number of at least 0.`, {
      option: "cooldown",
    });
  const team = Array.isArray(models) ? models.map((model) => memberOf(model)) : [];
  const leader = team[0]?.model;
  if (!leader)
    throw invalidOption("fallback() takes a list of models, the first to ask first.", { option: "models" });
  return {
    provider: leader.provider,
    modelId: leader.modelId,
    // Whoever answers in the end must be held to it.
    supportsOutput: (output) => team.every(({ model }) => model.supportsOutput?.(output)),
    async *stream(request) {
      const { begun, member } = await begin(team, request, on, cooldown);
      const warning = warningOf(team, member);
      for await (const event of allOf(begun)) yield told(event, member, warning);
    },
  };
}

function memberOf(model: Model | string): Member {
  return { model: asModel(model, "fallback()"), restsUntil: 0, failure: "" };
}

async function begin(
  team: readonly Member[],
  request: ModelRequest,
  on: (error: unknown) => boolean,
  cooldown: number,
): Promise<Answer> {
  const now = performance.now();
  const resting = new Set(team.filter(({ restsUntil }) => restsUntil > now));
  const order = [...team.filter((member) => !resting.has(member)), ...resting];
  let failure: unknown;
  for (const member of order) {
    try {
      const begun = await firstEvent(member.model, request);
      member.restsUntil = 0;
      return { begun, member };
    } catch (error) {
      const isCancelled = request.signal?.aborted || (error instanceof Error && error.name === "AbortError");
      if (isCancelled || !on(error)) throw error;
      putToRest(member, error, cooldown);
      failure = error;
    }
  }
  throw failure;
}

/** What only this request was too much for does not keep a model from the next one. */
function putToRest(member: Member, error: unknown, cooldown: number): void {
  const { code = "failed", retryAfter = 0 } = error instanceof ModelError ? error : {};
  member.failure = code;
  if (error instanceof ContextLengthError) return;
  member.restsUntil = performance.now() + Math.max(cooldown, retryAfter);
}

function isElsewhere(error: unknown): boolean {
  if (!(error instanceof ModelError)) return false;
  if (error.isRetryable) return true;
  if (error instanceof InvalidRequestError) return error.status === 404;
  return !(error instanceof ContentFilterError);
}

/** Whoever comes before the one that answered has failed, now or not long ago. */
function warningOf(team: readonly Member[], member: Member): string | undefined {
  const missing = team.slice(0, team.indexOf(member));
  if (missing.length === 0) return undefined;
  const others = missing.map(({ model, failure }) => `${nameOf(model)} (${failure})`);
  return `${nameOf(member.model)} answered in place of ${others.join(" and ")}.`;
}

function told(event: ModelEvent, { model }: Member, warning: string | undefined): ModelEvent {
  const answered = answeredBy(model, event);
  if (warning === undefined) return answered;
  return withGeneration(answered, ({ warnings }) => ({ warnings: [...warnings, warning] }));
}

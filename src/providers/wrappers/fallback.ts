import { immediate } from "../../base/util/callbacks.ts";
import {
  ContentFilterError,
  ContextLengthError,
  InvalidRequestError,
  ModelError,
  UnsupportedPartError,
} from "../../errors.ts";
import { AnswerLaterError } from "../../model/answer-later.ts";
import { markSelfTimed } from "../../model/model-events.ts";
import { type StartedAnswer, firstEvent, reportFailure } from "../../model/stream-model.ts";
import type { Model, ModelEvent, ModelRequest } from "../../model/types.ts";
import { assertAtLeast } from "../../base/options/at-least.ts";
import { assertFunction } from "../../base/options/assert-function.ts";
import { assertKnownOptions, invalidOption } from "../../base/options/known-options.ts";
import { asModel, nameOf, nameProvider, readAnswer, withGeneration } from "./wrapped.ts";

/** When to call the next model. */
export interface FallbackOptions {
  /** Whether an error leads to the next model; see `fallback` for the default. It is not called for a cancellation. */
  readonly on?: (error: unknown) => boolean;
  /** Milliseconds for which a model that failed is tried last, or longer if its provider says so; 30,000 by default. */
  readonly cooldown?: number;
}

const optionNames = { on: true, cooldown: true } as const satisfies Record<keyof FallbackOptions, true>;

/** One of the models, and its last failure. */
interface Member {
  readonly model: Model;
  /** In the time of `performance.now()`. */
  restsUntil: number;
  /** The code of its last error. */
  failure: string;
}

/** An answer that has started, and the model that gives it. */
interface Answer {
  readonly started: StartedAnswer;
  readonly member: Member;
}

/**
 * Calls several models in order until one answers. The next model is called only before the first event, and only for errors that
 * it may not have: every model error except an invalid request (an unknown model, 404, does lead to the next model) and a refusal
 * of the content. One that breaks off in the middle of an answer is tried last the next time. If no model answers, the last error is thrown. If another model than the first answers, a warning of the
 * generation says so. To call each model several times: `fallback([retry(a), retry(b)])`.
 * @throws ConfigurationError for invalid options.
 */
export function fallback(models: readonly (Model | string)[], options: FallbackOptions = {}): Model {
  const members = Array.isArray(models) ? models.map((model) => createMember(model)) : [];
  const first = members[0]?.model;
  if (!first)
    throw invalidOption("fallback() requires a list of at least one model. Write fallback([a, b]).", {
      option: "models",
    });
  assertKnownOptions(options, optionNames, "fallback()");
  const { on = isWorthAnother, cooldown = 30_000 } = options;
  assertAtLeast("cooldown", cooldown, 0);
  assertFunction("on", options.on, "fallback()", "on: (error) => true");
  return {
    provider: first.provider,
    modelId: first.modelId,
    // Any of the models may answer.
    supportsOutput: (output) => members.every(({ model }) => model.supportsOutput?.(output) === true),
    // The others are mostly never asked.
    warm: async () => (await first.warm?.()) === true,
    ...(members.some(({ model }) => "abandon" in model) && {
      abandon: async (note) => {
        for (const { model } of members) await model.abandon?.(note);
      },
    }),
    stream: markSelfTimed(async function* (request) {
      const { started, member } = await begin(members, request, on, cooldown);
      const warning = warningOf(members, member);
      try {
        for await (const event of readAnswer(started)) yield labelEvent(event, member, warning);
      } catch (error) {
        // Readers have a part of the answer: no other model goes on with it, but the next call does not begin with this one.
        if (!isCancelled(request, error) && isWorthAnother(error)) putToRest(member, error, cooldown);
        throw error;
      }
    }),
  };
}

function createMember(model: Model | string): Member {
  return { model: asModel(model, "fallback()"), restsUntil: 0, failure: "" };
}

async function begin(
  members: readonly Member[],
  request: ModelRequest,
  on: (error: unknown) => boolean,
  cooldown: number,
): Promise<Answer> {
  const now = performance.now();
  const resting = new Set(members.filter(({ restsUntil }) => restsUntil > now));
  const order = [...members.filter((member) => !resting.has(member)), ...resting];
  let failure: unknown;
  for (const member of order) {
    try {
      const started = await firstEvent(member.model, request);
      member.restsUntil = 0;
      return { started, member };
    } catch (error) {
      if (isCancelled(request, error) || error instanceof AnswerLaterError || !leadsOn(on, error))
        throw error;
      putToRest(member, error, cooldown);
      failure = error;
      if (member !== order.at(-1)) reportFailure(request, member.model, error, "fallback", 0);
    }
  }
  throw failure;
}

function isCancelled({ signal }: ModelRequest, error: unknown): boolean {
  return signal?.aborted === true || (error instanceof Error && error.name === "AbortError");
}

function leadsOn(on: NonNullable<FallbackOptions["on"]>, error: unknown): boolean {
  return immediate(on(error), () =>
    invalidOption("on of fallback() must return true or false, not a promise.", { option: "on" }),
  );
}

/** A model that cannot take this request because of its length, or of a part of it, may well take the next one. */
function putToRest(member: Member, error: unknown, cooldown: number): void {
  const { code = "failed", retryAfter = 0 } = error instanceof ModelError ? error : {};
  member.failure = code;
  if (error instanceof ContextLengthError || error instanceof UnsupportedPartError) return;
  member.restsUntil = performance.now() + Math.max(cooldown, retryAfter);
}

function isWorthAnother(error: unknown): boolean {
  if (!(error instanceof ModelError)) return false;
  if (error.isRetryable) return true;
  if (error instanceof InvalidRequestError) return error.status === 404;
  return !(error instanceof ContentFilterError);
}

/** All models before the one that answered have failed, now or recently. */
function warningOf(members: readonly Member[], member: Member): string | undefined {
  const missing = members.slice(0, members.indexOf(member));
  if (missing.length === 0) return undefined;
  const others = missing.map(({ model, failure }) => `${nameOf(model)} (${failure})`);
  return `${nameOf(member.model)} answered in place of ${others.join(" and ")}.`;
}

function labelEvent(event: ModelEvent, { model }: Member, warning: string | undefined): ModelEvent {
  const named = nameProvider(model, event);
  if (warning === undefined) return named;
  return withGeneration(named, ({ warnings }) => ({ warnings: [...warnings, warning] }));
}

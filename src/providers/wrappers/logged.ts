import { assertGeneration } from "../../model/assert-generation.ts";
import { notify, printFailure } from "../../base/util/callbacks.ts";
import { SkeinError } from "../../errors.ts";
import type { FinishReason, Usage } from "../../message/messages.ts";
import { AnswerLaterError } from "../../model/answer-later.ts";
import { markSelfTimed, modelEvents } from "../../model/model-events.ts";
import type { Generation, Model, ModelEvent, ModelRequest } from "../../model/types.ts";
import { describeValue, invalidOption } from "../../base/options/known-options.ts";
import { safeMessage } from "../../base/util/error-message.ts";
import { asModel, describeModel, withGeneration } from "./wrapped.ts";

/** The maximum length of an error's message in a log entry. */
const longestMessage = 1000;

/** The outcome of one request to a model: plain JSON of bounded size, without any content of the conversation. */
export interface ModelLogEntry {
  /** The provider that answered; without an answer, that of the model called. */
  readonly provider: string;
  readonly modelId: string;
  /** `"left"` if the caller stopped reading before the end. */
  readonly outcome: "finished" | "failed" | "cancelled" | "left";
  /** When the request started, as an ISO 8601 date. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** Milliseconds to the first event. */
  readonly firstEventMs?: number;
  /** The number of messages in the request, and of tools offered. */
  readonly messages: number;
  readonly tools: number;
  /** The number of tool calls in the answer. */
  readonly toolCalls?: number;
  readonly finishReason?: FinishReason;
  readonly usage?: Usage;
  readonly responseId?: string;
  readonly error?: { readonly name: string; readonly code?: string; readonly message: string };
}

/** Called for each request once it has ended. */
export type ModelLog = (entry: ModelLogEntry) => void;

/**
 * A model that reports each request to `log` once it is over, before the last event is emitted. If `log` throws, its error becomes a
 * warning of the generation; a request that fails has no generation, and throws its own error only.
 */
export function logged(model: Model | string, log: ModelLog): Model {
  const inner = asModel(model, "logged()");
  if (typeof log !== "function")
    throw invalidOption(
      `logged() requires a function, not ${describeValue(log)}. Write logged(model, (entry) => console.log(entry)).`,
      { option: "log" },
    );
  return {
    ...describeModel(inner),
    stream: markSelfTimed((request) => streamLogged(inner, request, log)),
  };
}

async function* streamLogged(
  model: Model,
  request: ModelRequest,
  log: ModelLog,
): AsyncGenerator<ModelEvent, void> {
  const entry = startEntry(model, request);
  let report: ((outcome: Partial<ModelLogEntry>) => string | undefined) | undefined = (outcome) => {
    report = undefined;
    return callLog(log, { ...entry(), ...outcome });
  };
  let firstEventMs: number | undefined;
  try {
    for await (const event of modelEvents(model, request)) {
      firstEventMs ??= entry().durationMs;
      if (event.type !== "finish") yield event;
      else {
        assertGeneration(event.generation, model);
        const warning = report?.({ firstEventMs, ...answerOf(model, event.generation) });
        yield withGeneration(event, ({ warnings }) => ({
          warnings: warning === undefined ? warnings : [...warnings, warning],
        }));
      }
    }
  } catch (error) {
    const outcome = request.signal?.aborted ? "cancelled" : "failed";
    if (error instanceof AnswerLaterError) report?.({ outcome: "left" });
    report?.({ outcome, ...(firstEventMs !== undefined && { firstEventMs }), error: errorOf(error) });
    throw error;
  } finally {
    report?.({ outcome: "left", ...(firstEventMs !== undefined && { firstEventMs }) });
  }
}

/** What is certain from the start; `durationMs` is measured at each call of the function returned. */
function startEntry({ provider, modelId }: Model, { messages, tools }: ModelRequest): () => ModelLogEntry {
  const startedAt = new Date().toISOString();
  const start = performance.now();
  const counts = { messages: messages.length, tools: tools?.length ?? 0 };
  return () => ({
    provider,
    modelId,
    outcome: "finished",
    startedAt,
    durationMs: performance.now() - start,
    ...counts,
  });
}

function answerOf({ provider }: Model, generation: Generation): Partial<ModelLogEntry> {
  const { finishReason, usage, toolCalls, response } = generation;
  return {
    provider: response.provider ?? provider,
    modelId: response.modelId,
    finishReason,
    usage,
    toolCalls: toolCalls.length,
    ...(response.id !== undefined && { responseId: response.id }),
  };
}

function errorOf(error: unknown): NonNullable<ModelLogEntry["error"]> {
  return {
    name: error instanceof Error ? error.name : typeof error,
    ...(error instanceof SkeinError && { code: error.code }),
    message: safeMessage(error).slice(0, longestMessage),
  };
}

/** Calls the log; returns a warning if it throws. What its promise rejects with comes too late for one. */
function callLog(log: ModelLog, entry: ModelLogEntry): string | undefined {
  const place = `The log of ${entry.provider}:${entry.modelId}`;
  let warning: string | undefined;
  let isOver = false;
  notify(
    () => log(entry),
    (error) => {
      if (isOver) printFailure(place, error);
      else warning = `${place} threw: ${safeMessage(error)}`;
    },
  );
  isOver = true;
  return warning;
}

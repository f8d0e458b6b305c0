import { SkeinError } from "../../errors.ts";
import type { FinishReason, Usage } from "../../message/messages.ts";
import type { Generation, Model, ModelEvent, ModelRequest } from "../../model/types.ts";
import { safeMessage } from "../../base/util/error-message.ts";
import { asModel, describeModel, withGeneration } from "./wrapped.ts";

/** The most characters of an error's message in a log. */
const longestMessage = 1000;

/** What became of one request to a model. Plain JSON of bounded size: nothing of what was said is in it. */
export interface ModelLogEntry {
  /** Who answered, where there is an answer; else the model that was asked. */
  readonly provider: string;
  readonly modelId: string;
  /** `"left"` if whoever asked went away before the end. */
  readonly outcome: "finished" | "failed" | "cancelled" | "left";
  /** When the request was made: an ISO 8601 date. */
  readonly startedAt: string;
  readonly durationMs: number;
  /** Milliseconds to the first event. */
  readonly firstEventMs?: number;
  /** Messages in the request, and tools offered. */
  readonly messages: number;
  readonly tools: number;
  /** Tools that the model asked for. */
  readonly toolCalls?: number;
  readonly finishReason?: FinishReason;
  readonly usage?: Usage;
  readonly responseId?: string;
  readonly error?: { readonly name: string; readonly code?: string; readonly message: string };
}

/** Is told of each request once it has ended. */
export type ModelLog = (entry: ModelLogEntry) => void;

/**
 * A model of which each request is reported once it is over, before its last event is handed on. What `log` throws becomes a
 * warning of the generation, and is passed over where there is none.
 */
export function logged(model: Model | string, log: ModelLog): Model {
  const inner = asModel(model, "logged()");
  return {
    ...describeModel(inner),
    stream: (request) => follow(inner, request, log),
  };
}

async function* follow(model: Model, request: ModelRequest, log: ModelLog): AsyncGenerator<ModelEvent, void> {
  const entry = begin(model, request);
  let report: ((outcome: Partial<ModelLogEntry>) => string | undefined) | undefined = (outcome) => {
    report = undefined;
    return tell(log, { ...entry(), ...outcome });
  };
  let firstEventMs: number | undefined;
  try {
    for await (const event of model.stream(request)) {
      firstEventMs ??= entry().durationMs;
      if (event.type !== "finish") yield event;
      else {
        const warning = report?.({ firstEventMs, ...answerOf(model, event.generation) });
        yield withGeneration(event, ({ warnings }) => ({
          warnings: warning === undefined ? warnings : [...warnings, warning],
        }));
      }
    }
  } catch (error) {
    const outcome = request.signal?.aborted ? "cancelled" : "failed";
    report?.({ outcome, ...(firstEventMs !== undefined && { firstEventMs }), error: errorOf(error) });
    throw error;
  } finally {
    report?.({ outcome: "left", ...(firstEventMs !== undefined && { firstEventMs }) });
  }
}

/** What is known from the start; the time it has taken is that of the call. */
function begin({ provider, modelId }: Model, { messages, tools }: ModelRequest): () => ModelLogEntry {
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

/** What went wrong with the log, if anything did. */
function tell(log: ModelLog, entry: ModelLogEntry): string | undefined {
  try {
    log(entry);
    return undefined;
  } catch (error) {
    return `The log of ${entry.provider}:${entry.modelId} threw: ${safeMessage(error)}`;
  }
}

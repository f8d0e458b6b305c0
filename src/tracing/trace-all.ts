import { addGlobalMiddleware } from "../run/steps/global-middleware.ts";
import { watchAnswers } from "../run/steps/answer-watch.ts";
import type { Middleware } from "../run/steps/middleware.ts";
import type { TracingOptions } from "../run/tracing-options.ts";
import { readTracingOptions, settingsOf } from "./settings.ts";
import { traceAnswers } from "./trace-answer.ts";
import { isTracing, traceRuns } from "./trace-runs.ts";

/**
 * Traces every run that starts from now on with OpenTelemetry, and every answer of `generate` and `generateStream`: spans and metrics of
 * agents, model calls and tool calls, by its conventions for generative AI. They go to the SDK that the program has registered; without
 * one, nowhere. The option `tracing` of a run changes this for that run. A second call takes the place of the first.
 * @returns ends it once it is called. Runs under way are traced to their end.
 * @throws ConfigurationError (`invalid-option`) for an invalid option. Without the package `@opentelemetry/api`, runs fail with a
 * ConfigurationError (`missing-package`) that names the command to install it.
 */
export function traceAll(options: TracingOptions = {}): () => void {
  const all = readTracingOptions(options, "traceAll()");
  const settings = settingsOf(all);
  const middleware = traceRuns(settings);
  current?.();
  const endRuns = addGlobalMiddleware(({ tracing, middleware: own = [] }) => {
    // Traced by its program already.
    if (tracing === false || own.some(isTracing)) return undefined;
    if (tracing === undefined) return middleware;
    return traceRuns(settingsOf({ ...all, ...readTracingOptions(tracing, "options.tracing") }));
  });
  const endAnswers = watchAnswers(traceAnswers(settings));
  const remove = (): void => {
    endRuns();
    endAnswers();
  };
  current = remove;
  return remove;
}

let current: (() => void) | undefined;

/**
 * A middleware that traces the runs it is passed to, where `traceAll` would trace too many: `run(agent, "Hi", { middleware: [traced()] })`.
 * @throws ConfigurationError (`invalid-option`)
 */
export function traced(options: TracingOptions = {}): Middleware {
  return traceRuns(settingsOf(readTracingOptions(options, "traced()")));
}

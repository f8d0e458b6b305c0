import { type Instrument, middlewareWith, type RunWatch, type StepWatch } from "../run/steps/instrument.ts";
import type { RunResult } from "../run/result-types.ts";
import type { Middleware, RunInfo } from "../run/steps/middleware.ts";
import { setTraceSource } from "../tool/trace-fields.ts";
import { loadApi, loadedApi, type OpenTelemetry } from "./api.ts";
import { fieldsOfActiveSpan } from "./propagation.ts";
import { RunTrace } from "./run-trace.ts";
import type { Settings } from "./settings.ts";
import { traceChat } from "./trace-chat.ts";
import { traceTool } from "./trace-tool.ts";

const ours = new WeakSet<Middleware>();

/** Whether a middleware traces runs. */
export function isTracing(middleware: Middleware): boolean {
  return ours.has(middleware);
}

/** The middleware that makes the spans of runs. */
export function traceRuns(settings: Settings): Middleware {
  setTraceSource(fieldsOfActiveSpan);
  const instrument: Instrument = {
    begin(info) {
      const api = loadedApi();
      return api
        ? watchRun(api, settings, info)
        : loadApi().then((loaded) => watchRun(loaded, settings, info));
    },
  };
  const middleware = middlewareWith(instrument);
  ours.add(middleware);
  return middleware;
}

function watchRun(api: OpenTelemetry, settings: Settings, info: RunInfo): RunWatch {
  const trace = new RunTrace(api, settings, info);
  const steps: StepWatch = {
    answer: (request, answer, next) => traceChat(trace, request, answer, next),
    call: (call, of, next) => traceTool(trace, call, of, next),
  };
  return { run: (next) => traceRun(trace, next), steps: trace.isWatching ? steps : undefined };
}

async function traceRun(trace: RunTrace, next: () => Promise<RunResult>): Promise<RunResult> {
  try {
    const result = await trace.api.context.with(trace.context, next);
    trace.end(result);
    return result;
  } catch (error) {
    trace.fail(error);
    throw error;
  }
}

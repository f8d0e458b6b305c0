import type { Middleware } from "../run/steps/middleware.ts";
import { setTraceSource } from "../tool/trace-fields.ts";
import { loadApi, loadedApi } from "./api.ts";
import { fieldsOfActiveSpan } from "./propagation.ts";
import { RunTrace } from "./run-trace.ts";
import type { Settings } from "./settings.ts";
import { traceChat } from "./trace-chat.ts";
import { traceTool } from "./tool-span.ts";

const ours = new WeakSet<Middleware>();

/** Whether a middleware traces runs. */
export function isTracing(middleware: Middleware): boolean {
  return ours.has(middleware);
}

/** The middleware that makes the spans of runs. */
export function traceRuns(settings: Settings): Middleware {
  /** By the signals of the runs, which each has its own: two runs may have one id. */
  const traces = new WeakMap<AbortSignal, RunTrace>();
  setTraceSource(fieldsOfActiveSpan);
  const middleware: Middleware = {
    async run(info, next) {
      const api = loadedApi() ?? (await loadApi());
      const trace = new RunTrace(api, settings, info);
      traces.set(info.signal, trace);
      try {
        const result = await api.context.with(trace.context, next);
        trace.end(result);
        return result;
      } catch (error) {
        trace.fail(error);
        throw error;
      }
    },
    model(request, info, next) {
      const trace = traces.get(info.signal);
      return trace ? traceChat(trace, request, info, next) : next(request);
    },
    tool(call, info, next) {
      const trace = traces.get(info.signal);
      return trace ? traceTool(trace, call, info, next) : next(call);
    },
  };
  ours.add(middleware);
  return middleware;
}

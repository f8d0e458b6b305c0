import type { ToolCall } from "../message/messages.ts";
import type { StepKey } from "../message/step-key.ts";
import type { Middleware } from "./steps/middleware.ts";

/**
 * Receives every call that reaches a tool, and which tool that is: a deprecated name and a middleware may lead elsewhere. A call that
 * waited comes again when it goes on, as the same step.
 */
export type CallWatch = (toolName: string, call: ToolCall, agent: string, step: StepKey) => void;

const watches = new WeakMap<Middleware, CallWatch>();

/** A middleware that changes nothing, and reports the calls of the run and of all within, behind the middlewares of agents. */
export function watchCalls(watch: CallWatch): Middleware {
  const middleware: Middleware = { run: (_info, next) => next() };
  watches.set(middleware, watch);
  return middleware;
}

/** What one of the middlewares reports the calls to; `undefined` where none does. */
export function watchOf(middlewares: readonly Middleware[]): CallWatch | undefined {
  for (const each of middlewares) {
    const watch = watches.get(each);
    if (watch) return watch;
  }
  return undefined;
}

import type { RunOptions } from "../types.ts";
import type { Middleware } from "./middleware.ts";

/** Makes what stands around a run with these options; `undefined` for nothing. Throws for options that are invalid. */
export type MiddlewareSource = (options: RunOptions) => Middleware | undefined;

const sources = new Set<MiddlewareSource>();

/**
 * Adds a middleware to every run that starts from now on, outside those that its program lists. Runs within a run have its middlewares
 * already.
 * @returns takes it away again: runs under way keep theirs.
 */
export function addGlobalMiddleware(source: MiddlewareSource): () => void {
  sources.add(source);
  return () => void sources.delete(source);
}

/** The middlewares that programs have added to every run. */
export function globalMiddlewares(options: RunOptions): readonly Middleware[] {
  if (sources.size === 0) return none;
  return [...sources].flatMap((source) => source(options) ?? []);
}

const none: readonly Middleware[] = [];

import { emit } from "../events/emit.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { SkeinError } from "../../errors.ts";
import { invalidMiddleware, middlewareFailed } from "./check-step.ts";

/** Watches the calls of `next` by one function of a middleware. */
export interface NextGuard {
  /** Notes that the function has returned. */
  close(): void;
  /** @throws ConfigurationError (`invalid-middleware`) once the function has returned. */
  assertOpen(): void;
  /** Warns of a call that has no effect. The result of a run shows it even after the end; events do not go on. */
  warn(problem: string): void;
}

/** @param place - The function, for errors. */
export function guardNext(run: ActiveRun, place: string): NextGuard {
  let hasReturned = false;
  const warn = (problem: string): string => {
    const message = `${place} called next ${problem}, which has no effect.`;
    if (run.addWarning(message) && !run.config.scope.isDisposed)
      emit(run, { type: "warning", agent: run.agent.name, message });
    return message;
  };
  return {
    close: () => {
      hasReturned = true;
    },
    assertOpen: () => {
      if (hasReturned) throw invalidMiddleware(warn("after it had returned"));
    },
    warn,
  };
}

/**
 * Calls a function of a middleware with a `next` that works until the function has returned.
 * @param place - The function, for the error that names it; what `next` rejected with passes unchanged, as do all errors without it.
 */
export async function callWithNext<Input extends readonly unknown[], T>(
  guard: NextGuard,
  next: (...input: Input) => Promise<T>,
  call: (next: (...input: Input) => Promise<T>) => Promise<T>,
  place?: string,
): Promise<T> {
  const rejections = new Set<unknown>();
  try {
    return await call((...input) => {
      const result = (async () => {
        guard.assertOpen();
        return next(...input);
      })();
      // A refusal that nobody waits for must not end the process.
      result.catch((error: unknown) => rejections.add(error));
      return result;
    });
  } catch (error) {
    if (!place || error instanceof SkeinError || rejections.has(error)) throw error;
    throw middlewareFailed(place, error);
  } finally {
    guard.close();
  }
}

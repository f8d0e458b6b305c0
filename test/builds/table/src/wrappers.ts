/** What users wrap their functions in. */
import type { ToolContext } from "skein";
import { got, gotContext, type Session } from "./witness.ts";

/** Keeps the results of a function. */
export function memoize<F extends (...args: never[]) => unknown>(fn: F): F {
  return fn;
}

/** Notes each call of a function. */
export function withLog<Args extends readonly unknown[], Result>(
  fn: (...args: Args) => Result,
): (...args: Args) => Result {
  return (...args) => fn(...args);
}

/** Calls a function once its caller pauses. */
export function debounce<Args extends readonly unknown[], Result>(
  fn: (...args: Args) => Result,
  _ms: number,
): (...args: Args) => Promise<Result> {
  return async (...args) => fn(...args);
}

/** Gives a function its first argument. */
export function partial<First, Rest extends readonly unknown[], Result>(
  fn: (first: First, ...rest: Rest) => Result,
  first: First,
): (...rest: Rest) => Result {
  return (...rest) => fn(first, ...rest);
}

/**
 * Double a number.
 * @param amount - What to double @minimum 0
 */
export function double(amount: number): string {
  return got(amount * 2);
}

/** Add two numbers. */
export function add(a: number, b: number): string {
  return got(a + b);
}

/** Ban a user. */
export function ban(name: string, days: number, caller: ToolContext<Session>): string {
  gotContext(caller.context);
  return got(name, days, caller.context.user);
}

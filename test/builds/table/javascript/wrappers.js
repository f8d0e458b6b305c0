/** The wrappers of `src/wrappers.ts`, their types in comments. */
import { got, gotContext } from "./witness.js";

/** @typedef {{ user: string, role: string, token: string }} Session */

/**
 * Keeps the results of a function.
 * @template {(...args: never[]) => unknown} F
 * @param {F} fn
 * @returns {F}
 */
export function memoize(fn) {
  return fn;
}

/**
 * Notes each call of a function.
 * @template {readonly unknown[]} Args
 * @template Result
 * @param {(...args: Args) => Result} fn
 * @returns {(...args: Args) => Result}
 */
export function withLog(fn) {
  return (...args) => fn(...args);
}

/**
 * Calls a function once its caller pauses.
 * @template {readonly unknown[]} Args
 * @template Result
 * @param {(...args: Args) => Result} fn
 * @param {number} _ms
 * @returns {(...args: Args) => Promise<Result>}
 */
export function debounce(fn, _ms) {
  return async (...args) => fn(...args);
}

/**
 * Gives a function its first argument.
 * @template First
 * @template {readonly unknown[]} Rest
 * @template Result
 * @param {(first: First, ...rest: Rest) => Result} fn
 * @param {First} first
 * @returns {(...rest: Rest) => Result}
 */
export function partial(fn, first) {
  return (...rest) => fn(first, ...rest);
}

/**
 * Double a number.
 * @param {number} amount - What to double @minimum 0
 */
export function double(amount) {
  return got(amount * 2);
}

/**
 * Add two numbers.
 * @param {number} a
 * @param {number} b
 */
export function add(a, b) {
  return got(a + b);
}

/**
 * Ban a user.
 * @param {string} name
 * @param {number} days
 * @param {import("skein").ToolContext<Session>} caller
 */
export function ban(name, days, caller) {
  gotContext(caller.context);
  return got(name, days, caller.context.user);
}

/** A value, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * Calls `use` with a value, at once if it is there already. Bench row "loop, a turn of 50": each needless await of a turn
 * costs it two percent.
 */
export function chain<T, R>(value: MaybePromise<T>, use: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(use) : use(value);
}

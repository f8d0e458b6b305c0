import { immediate } from "../../base/util/callbacks.ts";

/**
 * The key that a program's function gives to a call.
 * @throws TypeError if it is not a string: two promises, say, are never the same key.
 */
export function keyFrom(option: string, keyOf: (...args: never[]) => unknown, ...args: unknown[]): string {
  const refuse = (type: string): TypeError =>
    new TypeError(`the key function of ${option} must return a string, not ${type}`);
  const key = immediate<unknown>(Reflect.apply(keyOf, undefined, args), () => refuse("a promise"));
  if (typeof key === "string") return key;
  throw refuse(key === null ? "null" : `a value of type ${typeof key}`);
}

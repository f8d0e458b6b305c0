/**
 * The key that a program's function gives to a call.
 * @throws TypeError if it is not a string: two promises, say, are never the same key.
 */
export function keyFrom(option: string, keyOf: (...args: never[]) => unknown, ...args: unknown[]): string {
  const key: unknown = Reflect.apply(keyOf, undefined, args);
  if (typeof key === "string") return key;
  throw new TypeError(
    `the key function of ${option} gave a key of type ${typeof key} where a string is needed`,
  );
}

// Marked, so that bundlers leave out what a program does not use.
/* @__NO_SIDE_EFFECTS__ */
/**
 * A function that creates a value for each object once, and returns the same as long as the object is there. `undefined` is not
 * remembered; neither is what `create` throws.
 */
export function memoize<K extends object, V>(create: (key: K) => V): (key: K) => V {
  const values = new WeakMap<K, V>();
  return (key) => {
    const cached = values.get(key);
    if (cached !== undefined) return cached;
    const value = create(key);
    values.set(key, value);
    return value;
  };
}

/** Whether something that was thrown is an error. Never throws itself: what a revoked proxy is cannot be asked. */
export function isError(thrown: unknown): thrown is Error {
  return isThrown(thrown, Error);
}

/** Whether something that was thrown is of a class. Never throws itself, either. */
export function isThrown<T extends Error>(
  thrown: unknown,
  type: abstract new (...args: never) => T,
): thrown is T {
  try {
    return thrown instanceof type;
  } catch {
    return false;
  }
}

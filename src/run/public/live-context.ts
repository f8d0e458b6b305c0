/** Of this module alone. With a WeakMap instead, a stream of a short run took a third more of processor time: bench row "loop". */
const contextKey = Symbol("skein.context");

/** Lets encoders read the context of a run that is streamed. A program does not get it with a stream. */
export function shareContext(running: object, read: () => unknown): void {
  Object.defineProperty(running, contextKey, { value: read });
}

/** How the context of a run is read as it is now; `undefined` for what `stream()` has not returned in this process. */
export function contextOf(source: object): (() => unknown) | undefined {
  const read: unknown = Object.getOwnPropertyDescriptor(source, contextKey)?.value;
  return isReader(read) ? read : undefined;
}

function isReader(value: unknown): value is () => unknown {
  return typeof value === "function";
}

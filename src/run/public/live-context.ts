/** The contexts of runs under way. They are for encoders to choose from, and no part of what a program gets with a stream. */
const contexts = new WeakMap<object, () => unknown>();

/** Lets encoders read the context of a run that is streamed. */
export function shareContext(running: object, read: () => unknown): void {
  contexts.set(running, read);
}

/** How the context of a run is read as it is now; `undefined` for what `stream()` has not returned in this process. */
export function contextOf(source: object): (() => unknown) | undefined {
  return contexts.get(source);
}

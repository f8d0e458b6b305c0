import { unref } from "../../base/util/unref.ts";
import type { ChangeListener } from "../store.ts";

/** When those that wait look again, in milliseconds: soon at first, then each second. What this process changes is reported at once. */
const firstLook = 50;
const longestLook = 1_000;

/** Has those look again that wait for a change: Restate reports none. */
export class Watch {
  readonly #stops = new Map<ChangeListener, () => void>();

  add(listener: ChangeListener): () => void {
    let delay = firstLook;
    let timer: ReturnType<typeof setTimeout>;
    const wait = (): void => {
      timer = setTimeout(look, delay);
      // What waits for a change keeps the process alive itself, if it is to.
      unref(timer);
    };
    const look = (): void => {
      delay = Math.min(2 * delay, longestLook);
      wait();
      listener(undefined);
    };
    wait();
    const stop = (): void => {
      clearTimeout(timer);
      this.#stops.delete(listener);
    };
    this.#stops.set(listener, stop);
    return stop;
  }

  /** Reports that this process has changed a run. */
  notify(id: string): void {
    for (const listener of this.#stops.keys()) listener(id);
  }

  stop(): void {
    for (const stop of this.#stops.values()) stop();
  }
}

import { sseFrame } from "../base/stream/sse-response.ts";
import type { StudioEvent } from "./records.ts";

/** For how long changes are collected before they are sent, in milliseconds. */
const pace = 120;

/** A page that is open. */
interface Reader {
  readonly changed: Set<string>;
  hasNews: boolean;
  wake: () => void;
}

/** Tells open pages which runs have changed: each is sent as it is once a page can take it, however often it changed before. */
export class Updates {
  readonly #readers = new Set<Reader>();
  readonly #describe: (ids: Iterable<string> | "all") => readonly StudioEvent[];
  #isClosed = false;

  /** @param describe - The messages about runs by their ids; with `"all"`, what a page begins with. */
  constructor(describe: (ids: Iterable<string> | "all") => readonly StudioEvent[]) {
    this.#describe = describe;
  }

  /** Notes that a run has changed. */
  changed(id: string): void {
    for (const reader of this.#readers) {
      reader.changed.add(id);
      reader.wake();
    }
  }

  /** Notes that the agents have changed. */
  news(): void {
    for (const reader of this.#readers) {
      reader.hasNews = true;
      reader.wake();
    }
  }

  /** Ends all streams. */
  close(): void {
    this.#isClosed = true;
    for (const reader of this.#readers) reader.wake();
  }

  /** The stream of one page, as server-sent events. */
  async *frames(left: AbortSignal): AsyncGenerator<string, void> {
    const reader: Reader = { changed: new Set(), hasNews: false, wake: () => {} };
    this.#readers.add(reader);
    const leave = (): void => reader.wake();
    left.addEventListener("abort", leave);
    try {
      yield* this.#describe("all").map(frameOf);
      while (!left.aborted && !this.#isClosed) {
        if (reader.changed.size === 0 && !reader.hasNews)
          await new Promise<void>((wake) => (reader.wake = wake));
        if (left.aborted || this.#isClosed) return;
        // What comes at the same time goes with it.
        await new Promise<void>((wake) => setTimeout(wake, pace));
        const ids = [...reader.changed];
        const hasNews = reader.hasNews;
        reader.changed.clear();
        reader.hasNews = false;
        yield* this.#describe(hasNews ? "all" : ids).map(frameOf);
      }
    } finally {
      left.removeEventListener("abort", leave);
      this.#readers.delete(reader);
    }
  }
}

function frameOf(event: StudioEvent): string {
  return sseFrame(JSON.stringify(event));
}

import { unlessAborted } from "../../../base/util/unless-aborted.ts";
import type { StoredFile } from "./types.ts";

/** An upload that several requests wait for. It ends early once all of them have left. */
export class SharedUpload {
  readonly #controller = new AbortController();
  readonly #work: Promise<StoredFile>;
  #waiting = 0;

  /** @param start - Its signal is aborted once nobody waits any more. */
  constructor(start: (signal: AbortSignal) => Promise<StoredFile>) {
    this.#work = start(this.#controller.signal);
    // Those that wait get the error; one that has left must not have the process end.
    this.#work.catch(() => {});
  }

  /** Whether the upload was given up, so that nobody else may wait for it. */
  get isAbandoned(): boolean {
    return this.#controller.signal.aborted;
  }

  /** Waits for the file. @throws the signal's reason, and the error of the upload. */
  async wait(signal: AbortSignal | undefined): Promise<StoredFile> {
    this.#waiting += 1;
    let isOver = false;
    try {
      const file = await unlessAborted(this.#work, signal);
      isOver = true;
      return file;
    } finally {
      this.#waiting -= 1;
      if (!isOver && this.#waiting === 0) this.#controller.abort(signal?.reason);
    }
  }
}

import { type SseBody, sseBodyOf } from "../base/stream/sse-response.ts";
import type { Source } from "../base/stream/source.ts";
import { startTimer } from "../base/util/timer.ts";
import type { Answer } from "./answer.ts";
import { closingRefusal } from "./refusal.ts";

/** How long what clients are being sent may take once the runs of the server are left, in milliseconds. */
const lastWords = 1_000;

/**
 * The answers that clients wait for, or read. When the server closes, those whose runs go on elsewhere, or later, end: nothing in this process
 * has more for them.
 */
export class OpenAnswers {
  readonly #open = new Set<() => void>();
  #whenNone: (() => void) | undefined;

  /**
   * Waits for an answer, and follows it to its end if it is a stream.
   * @param leave - Stops the reading of what the answer is made from.
   * @param mayRepeat - Whether the same request once more does nothing twice, though this one has begun.
   * @throws Refusal (503) if the server closes before there is an answer.
   */
  async follow(
    work: () => Answer | PromiseLike<Answer>,
    leave: () => void,
    mayRepeat: boolean,
  ): Promise<Answer> {
    const closed = Promise.withResolvers<never>();
    const close = this.#add(() => {
      closed.reject(closingRefusal(mayRepeat));
      leave();
    });
    // Of an answer that is not wanted any more, the failure is not, either.
    closed.promise.catch(() => {});
    try {
      const answer = await Promise.race([work(), closed.promise]);
      const body = answer instanceof Response ? sseBodyOf(answer) : answer.body;
      if (body) this.#followStream(body);
      return answer;
    } finally {
      this.#delete(close);
    }
  }

  /** Lets answers come to their ends that have one, and ends the others without a word. */
  async close(): Promise<void> {
    if (this.#open.size === 0) return;
    const none = Promise.withResolvers<void>();
    this.#whenNone = none.resolve;
    const stop = startTimer(none.resolve, lastWords);
    await none.promise;
    stop();
    for (const end of this.#open) end();
    this.#open.clear();
  }

  #followStream(body: SseBody): void {
    const frames = new EndableFrames(body.frames, () => this.#delete(end));
    const end = this.#add(() => {
      body.onCancel?.();
      frames.end();
    });
    body.frames = frames;
  }

  #add(end: () => void): () => void {
    this.#open.add(end);
    return end;
  }

  #delete(end: () => void): void {
    this.#open.delete(end);
    if (this.#open.size === 0) this.#whenNone?.();
  }
}

/** The pieces of a stream, which can be ended before their end. */
class EndableFrames implements Source<string> {
  readonly #frames: Source<string>;
  readonly #onEnd: () => void;
  #isOver = false;

  /** @param onEnd - Called once nothing more is read. */
  constructor(frames: Source<string>, onEnd: () => void) {
    this.#frames = frames;
    this.#onEnd = onEnd;
  }

  take(): string | null | undefined {
    if (this.#isOver) return null;
    try {
      const piece = this.#frames.take();
      if (piece === null) this.#onEnd();
      return piece;
    } catch (error) {
      this.#onEnd();
      throw error;
    }
  }

  wait(): Promise<void> {
    return this.#frames.wait();
  }

  cancel(reason?: unknown): void {
    this.#onEnd();
    this.#frames.cancel(reason);
  }

  /** Ends the stream without a word. */
  end(): void {
    this.#isOver = true;
    this.cancel();
  }
}

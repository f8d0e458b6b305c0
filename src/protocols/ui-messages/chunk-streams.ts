import { sseFrame } from "../../base/stream/sse-response.ts";
import type { UIMessageChunk } from "./chunks.ts";
import type { UIMessageEncoder } from "./encoder.ts";

type Batches = AsyncIterableIterator<readonly UIMessageChunk[], void>;

/** What has the last word of the AI SDK's streams. */
const lastFrame = "data: [DONE]\n\n";

/** The chunks of a run, one by one. Not a generator: `return` must reach the run while its next event is waited for. */
export class ChunkStream implements AsyncIterableIterator<UIMessageChunk, void> {
  readonly #batches: Batches;
  readonly #encoder: UIMessageEncoder;
  #batch: readonly UIMessageChunk[] = [];
  #next = 0;

  constructor(batches: Batches, encoder: UIMessageEncoder) {
    this.#batches = batches;
    this.#encoder = encoder;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<UIMessageChunk, void>> {
    for (;;) {
      const chunk = this.#batch[this.#next];
      if (chunk) {
        this.#next += 1;
        return { done: false, value: chunk };
      }
      const batch = await nextBatch(this.#batches, this.#encoder);
      if (!batch) return { done: true, value: undefined };
      this.#batch = batch;
      this.#next = 0;
    }
  }

  async return(): Promise<IteratorResult<UIMessageChunk, void>> {
    this.#batch = [];
    await this.#batches.return?.();
    return { done: true, value: undefined };
  }
}

/** The chunks of a run as server-sent events: those of each event of the run together. */
export class FrameStream implements AsyncIterableIterator<string, void> {
  readonly #batches: Batches;
  readonly #encoder: UIMessageEncoder;
  #isDone = false;

  constructor(batches: Batches, encoder: UIMessageEncoder) {
    this.#batches = batches;
    this.#encoder = encoder;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<string, void>> {
    if (this.#isDone) return { done: true, value: undefined };
    const batch = await nextBatch(this.#batches, this.#encoder);
    if (batch) return { done: false, value: batch.map((chunk) => sseFrame(JSON.stringify(chunk))).join("") };
    this.#isDone = true;
    return { done: false, value: lastFrame };
  }

  async return(): Promise<IteratorResult<string, void>> {
    this.#isDone = true;
    await this.#batches.return?.();
    return { done: true, value: undefined };
  }
}

/** The next chunks. A reader that has missed events gets nothing from those that follow, so they are not waited for. */
async function nextBatch(
  batches: Batches,
  encoder: UIMessageEncoder,
): Promise<readonly UIMessageChunk[] | undefined> {
  if (encoder.isOver) {
    await batches.return?.();
    return undefined;
  }
  const next = await batches.next();
  return next.done === true ? undefined : next.value;
}

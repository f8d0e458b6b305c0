/** What ends a stream of OpenAI's. */
const doneFrame = "data: [DONE]\n\n";

/** Batches of chunks as text, and the end. Not a generator: leaving must reach the source while its next event is on its way. */
export function framesOf<Chunk>(
  batches: AsyncIterableIterator<readonly Chunk[], void>,
  frame: (chunk: Chunk) => string,
): AsyncIterable<string> {
  return { [Symbol.asyncIterator]: () => new Frames(batches, frame) };
}

class Frames<Chunk> implements AsyncIterator<string, void> {
  readonly #batches: AsyncIterableIterator<readonly Chunk[], void>;
  readonly #frame: (chunk: Chunk) => string;
  #isDone = false;

  constructor(batches: AsyncIterableIterator<readonly Chunk[], void>, frame: (chunk: Chunk) => string) {
    this.#batches = batches;
    this.#frame = frame;
  }

  async next(): Promise<IteratorResult<string, void>> {
    if (this.#isDone) return { done: true, value: undefined };
    const batch = await this.#batches.next();
    if (batch.done !== true) return { done: false, value: batch.value.map(this.#frame).join("") };
    this.#isDone = true;
    return { done: false, value: doneFrame };
  }

  async return(): Promise<IteratorResult<string, void>> {
    this.#isDone = true;
    await this.#batches.return?.();
    return { done: true, value: undefined };
  }
}

/** An id with a prefix, as OpenAI's are. */
export function newId(prefix: string): string {
  return prefix + crypto.randomUUID().replaceAll("-", "");
}

/** A time in the seconds of OpenAI's APIs. */
export function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1_000);
}

import { MarkCounter } from "../../../base/util/mark-counter.ts";
import { mostMarks } from "./most-marks.ts";

/** How many characters of a line that is too long are kept of its start and of its end. */
const tailLength = 256;

/** What becomes of the lines of a stream. */
export interface LineListener {
  line(text: string): void;
  /** A line had more than the limit, or too many values for that: its first and last characters, and how many bytes it had. */
  tooLong(head: string, tail: string, bytes: number): void;
}

/** Parts a stream of bytes into lines, each no longer than `limit` bytes: of longer ones nothing is kept but their ends. */
export class LineReader {
  readonly #limit: number;
  readonly #listener: LineListener;
  #chunks: Uint8Array[] = [];
  readonly #marks = new MarkCounter();
  #bytes = 0;
  #head = "";
  #tail = "";

  constructor(limit: number, listener: LineListener) {
    this.#limit = limit;
    this.#listener = listener;
  }

  /** Takes the next bytes. */
  push(chunk: Uint8Array): void {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      this.#take(chunk.subarray(from, end));
      this.#end();
      from = end + 1;
    }
    if (from < chunk.length) this.#take(chunk.subarray(from));
  }

  #take(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    this.#chunks.push(bytes);
    if (!this.#isTooLong) this.#marks.add(bytes);
    if (!this.#isTooLong) return;
    const text = decode(this.#chunks);
    if (this.#head === "") this.#head = text.slice(0, tailLength);
    this.#tail = (this.#tail + text).slice(-tailLength);
    this.#chunks = [];
  }

  get #isTooLong(): boolean {
    return this.#bytes > this.#limit || this.#marks.count > mostMarks(this.#limit);
  }

  #end(): void {
    const [chunks, bytes, head, tail] = [this.#chunks, this.#bytes, this.#head, this.#tail];
    const isTooLong = this.#isTooLong;
    this.#marks.reset();
    this.#chunks = [];
    this.#bytes = 0;
    this.#head = "";
    this.#tail = "";
    if (isTooLong) this.#listener.tooLong(head, tail, bytes);
    else if (bytes > 0) this.#listener.line(decode(chunks));
  }
}

function decode(chunks: readonly Uint8Array[]): string {
  const [only] = chunks;
  return Buffer.from(only && chunks.length === 1 ? only : Buffer.concat(chunks)).toString("utf8");
}

import type { ByteSource } from "../base/stream/bytes.ts";
import { errorMessage } from "../base/util/error-message.ts";
import type { WireAnswer, WireRequest } from "../transport/wire/types.ts";
import type { WirePost } from "../model/wire-seam.ts";
import type { ModelRequest } from "../model/types.ts";

/** The time, in milliseconds since 1970 with fractions. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

/** A piece of an answer, and when it came. */
interface Piece {
  readonly at: number;
  readonly bytes: Uint8Array;
}

/** What was asked: over the wire, or of a model without one. */
type Question =
  | { readonly wire: Pick<WireRequest, "url" | "headers" | "body"> }
  | { readonly plain: Omit<ModelRequest, "signal" | "onFailure">; readonly model: string };

/** A request to a model and what came of it, as it is kept: with its secrets, which nobody outside this process gets. */
export class Exchange {
  readonly number: number;
  readonly step: number;
  sentAt: number = now();
  #question: Question | undefined;
  /** Counted once: a history may have megabytes. */
  #plainSize: number | undefined;
  /** Characters of the body, also where that was dropped. */
  readonly length: number;
  readonly isWire: boolean;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  status: number | undefined;
  answerHeaders: readonly (readonly [string, string])[] = [];
  pieces: Piece[] = [];
  pieceCount = 0;
  end: "cut" | "left" | undefined;
  failure: string | undefined;

  constructor(number: number, step: number, question: Question) {
    this.number = number;
    this.step = step;
    this.#question = question;
    this.isWire = "wire" in question;
    this.url = "wire" in question ? question.wire.url : "";
    this.headers = "wire" in question ? question.wire.headers : {};
    this.length = "wire" in question ? question.wire.body.length : 0;
  }

  /** The body as it was sent; `undefined` if it was dropped. */
  get body(): string | undefined {
    if (!this.#question) return undefined;
    if ("wire" in this.#question) return this.#question.wire.body;
    const { tools, instructions, messages, ...rest } = this.#question.plain;
    return JSON.stringify({ model: this.#question.model, tools, instructions, messages, ...rest });
  }

  /** Characters of the body; of one that was dropped as far as they were counted. */
  get size(): number {
    if (!this.isWire && this.#plainSize === undefined) this.#plainSize = this.body?.length;
    return this.#plainSize ?? this.length;
  }

  /** Forgets its bytes, and returns how many these were. */
  drop(): number {
    const freed = this.#question
      ? this.length + this.pieces.reduce((sum, { bytes }) => sum + bytes.length, 0)
      : 0;
    this.#question = undefined;
    this.pieces = [];
    return freed;
  }

  /** Notes a piece of the answer; none once the rest was dropped. */
  addPiece(bytes: Uint8Array, at: number = now()): number {
    this.pieceCount++;
    if (!this.#question) return 0;
    // The reader may use the buffer again. Small ones share memory: an allocation for each piece would be most of what recording costs.
    this.pieces.push({ at, bytes: Buffer.from(bytes) });
    return bytes.length;
  }
}

/**
 * Sends a request, and notes its answer piece by piece.
 * @param onChange - Called with how many bytes more the exchange holds.
 */
export async function follow(
  exchange: Exchange,
  post: WirePost,
  onChange: (bytes: number) => void,
): Promise<WireAnswer | undefined> {
  try {
    const answer = await post();
    if (!answer) return answer;
    exchange.status = answer.status;
    exchange.answerHeaders = [...answer.headers];
    onChange(0);
    return {
      ...answer,
      headers: exchange.answerHeaders,
      body: answer.body && noting(answer.body, exchange, onChange),
    };
  } catch (error) {
    exchange.failure = errorMessage(error);
    onChange(0);
    throw error;
  }
}

/** The same bytes, noted on their way. */
function noting(body: ByteSource, exchange: Exchange, onChange: (bytes: number) => void): ByteSource {
  let isWhole = false;
  return {
    take: () => {
      const piece = body.take();
      if (piece) onChange(exchange.addPiece(piece));
      isWhole ||= piece === null;
      return piece;
    },
    wait: async () => {
      try {
        await body.wait();
      } catch (error) {
        exchange.end = "cut";
        onChange(0);
        throw error;
      }
    },
    cancel: (reason) => {
      if (!isWhole) exchange.end ??= "left";
      body.cancel(reason);
    },
  };
}

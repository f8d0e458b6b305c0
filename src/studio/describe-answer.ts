import { setImmediate as nextTurn } from "node:timers/promises";
import type { Redaction } from "../testing/recording/secrets.ts";
import type { Exchange } from "./exchange.ts";
import type { AnswerPiece, RequestDetail } from "./records.ts";

type Answer = NonNullable<RequestDetail["answer"]>;

/** How many pieces a page is sent, and how many bytes these have at most. */
const most = { pieces: 2_000, bytes: 1_000_000 };
/** How many more are looked at, so that no secret is cut before it is masked: the first limit of the two ends it. */
const margin = { pieces: 1_000, bytes: 200_000 };
/** Of how many answers the pieces are kept as they were sent. */
const mostKept = 8;

interface Kept {
  /** How many pieces were looked at. */
  readonly count: number;
  /** That of the secrets. */
  readonly version: number;
  readonly pieces: Promise<readonly AnswerPiece[]>;
}

/** What was worked out last, the oldest first. A page asks again whenever the run changes. */
const recent = new Map<Exchange, Kept>();

/**
 * An answer without secrets: of many pieces those that came first.
 * @param version - Another number once there are other secrets to mask.
 */
export async function describeAnswer(exchange: Exchange, redact: Redaction, version = 0): Promise<Answer> {
  return {
    headers: redact.answerHeaders(exchange.answerHeaders),
    pieces: await piecesOf(exchange, redact, version),
    ...(exchange.end && { end: exchange.end }),
  };
}

function piecesOf(exchange: Exchange, redact: Redaction, version: number): Promise<readonly AnswerPiece[]> {
  const { visible, all } = countsOf(exchange);
  const earlier = recent.get(exchange);
  const entry =
    earlier?.count === all && earlier.version === version
      ? earlier
      : { count: all, version, pieces: cleanPieces(exchange, redact, visible, all) };
  recent.delete(exchange);
  recent.set(exchange, entry);
  for (const oldest of recent.keys()) {
    if (recent.size <= mostKept) break;
    recent.delete(oldest);
  }
  return entry.pieces;
}

/** How many pieces are sent, and how many are looked at. */
function countsOf({ pieces }: Exchange): { readonly visible: number; readonly all: number } {
  const visible = countFrom(pieces, 0, most);
  return { visible, all: visible + countFrom(pieces, visible, margin) };
}

/** How many pieces keep to limits: one at least, where there is one. */
function countFrom(pieces: Exchange["pieces"], from: number, limits: typeof most): number {
  const within = pieces.slice(from, from + limits.pieces);
  let bytes = 0;
  const end = within.findIndex((piece) => (bytes += piece.bytes.length) > limits.bytes);
  return end < 0 ? within.length : Math.max(1, end);
}

async function cleanPieces(
  exchange: Exchange,
  redact: Redaction,
  visible: number,
  all: number,
): Promise<readonly AnswerPiece[]> {
  const originals = exchange.pieces.slice(0, all);
  const clean = await inTurns(redact.piecesInSteps(originals.map(({ bytes }) => bytes)));
  const decoder = new TextDecoder();
  return clean.slice(0, visible).map((bytes, index) => ({
    at: Math.round((originals[index]?.at ?? exchange.sentAt) - exchange.sentAt),
    // A character may lie in two pieces.
    text: decoder.decode(bytes, { stream: true }),
    bytes: bytes.length,
  }));
}

/** Takes steps one by one: the agents run in this process, and are not to wait for a page. */
async function inTurns<T>(steps: Generator<void, T>): Promise<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    await nextTurn();
  }
}

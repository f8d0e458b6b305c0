import { ModelError } from "../../errors.ts";
import { errorMessage } from "../../base/util/error-message.ts";
import { fromBinary, toBinary } from "../recording/chunks.ts";
import { describeDifferences, differences } from "../recording/differences.ts";
import { type BodyWatch, type Captured, type Delivery, delivering, neverAnswering } from "./captured.ts";

import { errorProblems, faults } from "./faults.ts";
import type { Random } from "./random.ts";
import { essence, generationOf, read, type AnswerReading } from "./read.ts";
import { checkEvents } from "./stream-rules.ts";
import type { Subject } from "./subject.ts";
import { type Check, Hung, type Trial } from "./trial.ts";

type WireSubject = Subject & { readonly captured: Captured };

type Bytes = Uint8Array<ArrayBuffer>;

/** The checks of models whose requests can be reached; those of others try nothing. */
export function wireChecks(subjects: readonly Subject[]): readonly Check[] {
  const check = (name: string, run: (subject: WireSubject, trial: Trial) => Promise<void>): Check => ({
    name,
    async run(trial) {
      for (const subject of subjects) if (hasWire(subject)) await run(subject, trial);
    },
  });
  return [
    check("chunks", chunks),
    check("cut", cut),
    check("abort-waiting", abortWaiting),
    check("bodies", bodies),
    check("chaos", chaos),
  ];
}

function hasWire(subject: Subject): subject is WireSubject {
  return subject.captured !== undefined;
}

/** Whatever the pieces, the answer is the same. */
async function chunks(subject: WireSubject, trial: Trial): Promise<void> {
  const { body } = subject.captured;
  const lines = fromBinary(toBinary(body).replaceAll(/\r?\n/g, "\r\n"));
  const isStream = subject.captured.headers.get("content-type")?.includes("event-stream");
  const ways: [string, Delivery][] = [
    ["Whole", { pieces: [body] }],
    ["Byte by byte", { pieces: splitAt(body, Array.from(body.keys())) }],
    ...(isStream
      ? ([
          ["With CRLF", { pieces: [lines] }],
          ["With CRLF, byte by byte", { pieces: splitAt(lines, Array.from(lines.keys())) }],
        ] satisfies [string, Delivery][])
      : []),
    ["Dripping", { pieces: splitAt(body, cuts(body, trial.random, 8)), delay: 1 }],
  ];
  for (let run = 1; run <= trial.runs; run++)
    ways.push([`In random pieces (${run})`, { pieces: splitAt(body, cuts(body, trial.random)) }]);
  for (const [way, delivery] of ways) {
    const reading = await readDelivery(subject, delivery, trial);
    if (reading.failure) trial.fail(`${way}, the answer fails: ${errorMessage(reading.failure.error)}`);
    else expectSame(subject, reading, `${way}, the answer is another one:`, trial);
    if (!reading.failure) checkEvents(reading.events, trial.fail);
  }
}

/** A stream that ends too soon is an error, or says all that the whole one did. */
async function cut(subject: WireSubject, trial: Trial): Promise<void> {
  const { body, secrets } = subject.captured;
  for (let run = 0; run < trial.runs; run++) {
    const length = trial.random.integer(0, body.length - 1);
    const end = run % 2 === 0 ? "cut" : "orderly";
    const reading = await readDelivery(subject, { pieces: [body.slice(0, length)], end }, trial);
    const where = `${end === "cut" ? "Cut" : "Ended"} after ${length} of ${body.length} bytes`;
    if (reading.failure) {
      for (const [check, problem] of errorProblems(reading.failure.error, secrets))
        trial.fail(`${where}, ${problem}.`, check === "secrets" ? check : "cut");
    } else
      expectSame(subject, reading, `${where}, the answer counts as whole, and is another one:`, trial, false);
  }
}

/** An abort ends the wait for an answer, and for its next piece. */
async function abortWaiting(subject: WireSubject, trial: Trial): Promise<void> {
  const { body } = subject.captured;
  const waits: [string, ReturnType<typeof delivering>][] = [
    ["While no answer comes", neverAnswering],
    ["While no piece comes", delivering(subject.captured, { pieces: [], end: "stall" })],
    ...[0.25, 0.5, 0.75].map((part): [string, ReturnType<typeof delivering>] => [
      `While nothing more comes after ${part * 100} %`,
      delivering(subject.captured, { pieces: [body.slice(0, body.length * part)], end: "stall" }),
    ]),
  ];
  for (const [where, fetch] of waits) {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), 5);
    const request = { ...subject.request, signal: controller.signal };
    const { failure } = await read(subject.over(fetch), request, trial);
    clearTimeout(timer);
    if (failure?.error instanceof Hung) trial.fail(`${where}, an abort does not end it.`);
    else if (!failure && where.startsWith("While no "))
      trial.fail(`${where}, an abort does not make it throw.`);
  }
}

/** Leaving or aborting a stream leaves no connection open. */
async function bodies(subject: WireSubject, trial: Trial): Promise<void> {
  const watch: BodyWatch = { open: 0 };
  const { body } = subject.captured;
  const half = { pieces: splitAt(body, cuts(body, trial.random)), end: "orderly" } as const;
  for (let run = 0; run < Math.min(trial.runs, 10); run++) {
    const left = trial.random.integer(1, Math.max(1, subject.baseline.events.length - 2));
    const model = subject.over(delivering(subject.captured, half, watch));
    const iterator = model.stream(subject.request)[Symbol.asyncIterator]();
    for (let at = 0; at < left; at++) await trial.settled(iterator.next(), "An event");
    await trial.settled(Promise.resolve(iterator.return?.()), "Leaving");
    // What gives up a body may do so a moment later.
    await new Promise((resolve) => void setTimeout(resolve, 1));
    if (watch.open > 0) return trial.fail(`Left after ${left} events, the body of the answer stays open.`);
  }
}

/** Whatever else comes in place of an answer is a typed error without secrets. */
async function chaos(subject: WireSubject, trial: Trial): Promise<void> {
  const { secrets } = subject.captured;
  const echo = secrets.at(-1) ?? "nothing-secret";
  for (const { name, status, headers, body, expect } of faults) {
    const pieces = [new TextEncoder().encode(body(echo))];
    const fetch = delivering({ status, headers: new Headers(headers) }, { pieces });
    const { failure, events } = await read(subject.over(fetch), subject.request, trial);
    if (!failure) {
      trial.fail(
        `${name}: it does not throw, but gives ${events.map(({ type }) => type).join(", ") || "nothing"}.`,
      );
      continue;
    }
    for (const [check, problem] of errorProblems(failure.error, secrets))
      trial.fail(`${name}: ${problem}.`, check);
    if (failure.error instanceof ModelError)
      for (const problem of expect?.(failure.error) ?? []) trial.fail(`${name}: ${problem}.`);
  }
  await noConnection(subject, echo, trial);
}

async function noConnection(subject: WireSubject, echo: string, trial: Trial): Promise<void> {
  const refused = async (): Promise<never> => {
    throw new TypeError("fetch failed", { cause: new Error(`connect ECONNREFUSED with ${echo}`) });
  };
  const { failure } = await read(subject.over(refused), subject.request, trial);
  if (!failure) return trial.fail("Without a connection, it does not throw.");
  for (const [check, problem] of errorProblems(failure.error, subject.captured.secrets))
    trial.fail(`Without a connection, ${problem}.`, check);
  if (failure.error instanceof ModelError && !failure.error.isRetryable)
    trial.fail("Without a connection, the error is not retryable.");
}

function readDelivery(subject: WireSubject, delivery: Delivery, trial: Trial): Promise<AnswerReading> {
  return read(subject.over(delivering(subject.captured, delivery)), subject.request, trial);
}

function expectSame(
  subject: Subject,
  reading: AnswerReading,
  what: string,
  trial: Trial,
  withUsage = true,
): void {
  const [whole, now] = [generationOf(subject.baseline), generationOf(reading)];
  if (!whole || !now) return trial.fail(`${what} it has no finish event.`);
  // Usage may come after everything else.
  const ignore = withUsage ? [] : ["$.usage", "$.rawFinishReason"];
  const described = describeDifferences(differences(essence(whole), essence(now), ignore));
  if (described !== "") trial.fail(`${what}\n${described}`);
}

/** Random places, between every second byte and once in a thousand. */
function cuts(body: Bytes, random: Random, most = 1000): readonly number[] {
  const count = Math.min(
    body.length,
    most,
    random.integer(1, random.integer(1, Math.max(1, body.length / 2))),
  );
  return Array.from({ length: count }, () => random.integer(0, body.length)).sort((a, b) => a - b);
}

function splitAt(body: Bytes, at: readonly number[]): Bytes[] {
  const pieces: Bytes[] = [];
  let from = 0;
  for (const place of [...at, body.length]) {
    if (place > from) pieces.push(body.slice(from, place));
    from = Math.max(from, place);
  }
  return pieces;
}

import { SkeinError } from "../../errors.ts";
import { markSelfTimed, modelEvents } from "../../model/model-events.ts";
import type { Model, ModelEvent, ModelRequest } from "../../model/types.ts";
import { type Fetch, markOffline } from "../../model/wire-seam.ts";
import type { JsonValue } from "../../base/util/json.ts";
import { decodeChunk } from "./chunks.ts";
import { replayError, replayFailure } from "./errors.ts";
import { nameOf, readRecording, type RecordingFile } from "./file.ts";
import type { Exchange, RecordedAnswer, RecordedRequest, WireExchange } from "./format.ts";
import { describeModel, type ModelSource, modelOf, overWire } from "./model-source.ts";
import { exchangeOf } from "./record.ts";
import { type Redaction, redaction, secretsIn, secretsInUrl } from "./secrets.ts";
import { type Tape, tapeOf } from "./tape.ts";
import { recordedRequest, requestOf as sentRequest } from "./wire.ts";
import { assertKnownOptions } from "../../base/options/known-options.ts";

/** How to replay. */
export interface ReplayOptions {
  /** Places of a request that may differ, as a difference prints them: `$.body.metadata`. What is beneath may differ, too. */
  readonly ignore?: readonly string[];
  /** What is taken out of requests before they are compared: the same as when they were recorded. */
  readonly secrets?: readonly string[];
}

/** The names of the options, for checks. */
export const replayOptions: Readonly<Record<keyof ReplayOptions, true>> = { ignore: true, secrets: true };

/** Something that answers from a recording. */
export interface Replayed {
  /** @throws SkeinError (`recording-incomplete`) if an exchange was never requested. */
  assertComplete(): void;
}

/**
 * A model that answers from a recording. Each request takes the next exchange; where that was another request, the first one
 * left that is equal, so that runs side by side find theirs.
 *
 * With `model`, or how it is made, that model reads again what came over the wire, piece by piece, and it is its requests on
 * the wire that are compared: it needs no key. Without it, the events are emitted as they were.
 *
 * A request that was not recorded throws a SkeinError (`replay-mismatch`) with all that differs, from `stream`.
 * @throws SkeinError (`recording-missing`, `recording-unreadable`)
 */
export function replay(
  file: RecordingFile,
  options: ReplayOptions & { readonly model?: ModelSource } = {},
): Model & Replayed {
  assertKnownOptions(options, { ...replayOptions, model: true }, "replay()");
  const { model: source } = options;
  const exchanges = readRecording(file);
  if (source) return replayWire(source, exchanges, file, options);
  const again = redaction(options.secrets);
  const tape = tapeOf(exchanges, ({ request }) => again.json(request ?? null), nameOf(file), options.ignore);
  const [provider = "replayed", ...modelId] = (exchanges[0]?.model ?? "replayed:replayed").split(":");
  return {
    provider,
    modelId: modelId.join(":"),
    // As the recorded one did: else the run would ask in another way.
    supportsOutput: () => exchanges.some(({ request }) => request?.output),
    stream: (request) => replayEvents(tape, request, options),
    assertComplete: () => tape.assertComplete(),
  };
}

/**
 * A `fetch` that answers from what `recordFetch` or `record` wrote down.
 * @throws SkeinError (`recording-missing`, `recording-unreadable`)
 */
export function replayFetch(file: RecordingFile, options: ReplayOptions = {}): Fetch & Replayed {
  assertKnownOptions(options, replayOptions, "replayFetch()");
  const tape = wireTape(readRecording(file), file, options);
  // oxlint-disable-next-line no-restricted-properties -- a literal of this line, onto a function of this file
  return Object.assign(fetchFrom(tape, options), { assertComplete: () => tape.assertComplete() });
}

function replayWire(
  source: ModelSource,
  exchanges: readonly Exchange[],
  file: RecordingFile,
  options: ReplayOptions,
): Model & Replayed {
  const tape = wireTape(exchanges, file, options);
  const fetch = fetchFrom(tape, options);
  const likeness = describeModel(modelOf(source));
  return {
    ...likeness,
    stream: markSelfTimed((request) => {
      const model = overWire(source, () => fetch);
      if (model) return modelEvents(model, request);
      throw new SkeinError(
        `The requests of ${likeness.provider}:${likeness.modelId} cannot be reached: give replay a function, (fetch) => model, or no model.`,
        { code: "no-wire" },
      );
    }),
    assertComplete: () => tape.assertComplete(),
  };
}

function wireTape(
  exchanges: readonly Exchange[],
  file: RecordingFile,
  { ignore, secrets }: ReplayOptions,
): Tape<WireExchange> {
  const redact = redaction(secrets);
  const wire = exchanges.flatMap((exchange) => exchange.wire ?? []);
  return tapeOf(wire, ({ request }) => comparedOf(request, redact), nameOf(file), ignore);
}

async function* replayEvents(
  tape: Tape<Exchange>,
  request: ModelRequest,
  { secrets }: ReplayOptions,
): AsyncGenerator<ModelEvent, void, undefined> {
  request.signal?.throwIfAborted();
  const redact = redaction(secrets);
  const current = exchangeOf(request, [], redact).request;
  const { events = [], error, left } = tape.take(redact.json(current));
  for (const event of events) {
    request.signal?.throwIfAborted();
    yield event;
  }
  request.signal?.throwIfAborted();
  if (error) throw replayError(error);
  if (left) throw tape.leftHere();
}

function fetchFrom(tape: Tape<WireExchange>, { secrets = [] }: ReplayOptions): Fetch {
  return markOffline(async (input, init) => {
    const current = sentRequest(input, init);
    init?.signal?.throwIfAborted();
    const redact = redaction([...secrets, ...secretsIn(current.headers), ...secretsInUrl(current.url)]);
    const outgoing = recordedRequest(current, await current.clone().text(), redact);
    const { response, failure } = tape.take(comparedOf(outgoing, redact));
    if (failure) throw replayFailure(failure);
    if (response) return answer(response, tape, init?.signal ?? undefined);
    throw tape.leftHere();
  });
}

/** What is compared of a request, redacted alike on both sides: a recording may come from where less was redacted. */
function comparedOf({ method, url, body }: RecordedRequest, redact: Redaction): JsonValue {
  return redact.json({ method, url, body });
}

function answer(
  { status, headers, chunks, end }: RecordedAnswer,
  tape: Tape<WireExchange>,
  signal: AbortSignal | undefined,
): Response {
  let next = 0;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        const chunk = chunks[next++];
        if (signal?.aborted) controller.error(signal.reason);
        else if (chunk !== undefined) controller.enqueue(decodeChunk(chunk));
        else if (end === "cut") controller.error(replayFailure({ message: "terminated" }));
        else if (end === "left") controller.error(tape.leftHere());
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(chunks.length === 0 && isBodiless(status) ? null : body, { status, headers });
}

function isBodiless(status: number): boolean {
  return status === 204 || status === 205 || status === 304;
}

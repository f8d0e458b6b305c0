import { markSelfTimed, modelEvents } from "../../model/model-events.ts";
import type { Model, ModelEvent, ModelRequest } from "../../model/types.ts";
import type { Fetch } from "../../model/wire-seam.ts";
import { recordError } from "./errors.ts";
import { type RecordingFile, type RecordingWriter, writeRecording } from "./file.ts";
import type { Exchange } from "./format.ts";
import { describeModel, type ModelSource, modelOf, overWire } from "./model-source.ts";
import { redaction, type Redaction } from "./secrets.ts";
import { noting, type OpenExchange } from "./wire.ts";
import { assertKnownOptions } from "../../base/options/known-options.ts";

/** How to record. */
export interface RecordOptions {
  /**
   * What must not be written down, beside what is removed anyway: keys in headers, URLs and bodies, cookies, names of accounts,
   * and the values of environment variables called `..._KEY`, `..._TOKEN`, `..._SECRET` or `..._PASSWORD`.
   */
  readonly secrets?: readonly string[];
}

/** The names of the options, for checks. */
export const recordOptions: Readonly<Record<keyof RecordOptions, true>> = { secrets: true };

/**
 * A model that records its requests and answers, one exchange a line. Of the models of `skein/openai` and
 * `skein/anthropic`, and of others that are passed as `(fetch) => model`, the requests and answers on the wire are kept as
 * well, piece by piece as they came. The file is rewritten when the first exchange ends. For Node, Bun and Deno.
 */
export function record(source: ModelSource, file: RecordingFile, options: RecordOptions = {}): Model {
  assertKnownOptions(options, recordOptions, "record()");
  const likeness = describeModel(modelOf(source));
  const writer = writeRecording(file);
  return { ...likeness, stream: markSelfTimed((request) => recorded(source, request, writer, options)) };
}

/**
 * A `fetch` that writes down each request and its answer, piece by piece as it comes: for the `fetch` option of a model, or of
 * any other client of an HTTP service.
 */
export function recordFetch(
  file: RecordingFile,
  options: RecordOptions & { readonly fetch?: Fetch } = {},
): Fetch {
  assertKnownOptions(options, { ...recordOptions, fetch: true }, "recordFetch()");
  const { fetch = globalThis.fetch, secrets = [] } = options;
  const writer = writeRecording(file);
  return (input, init) => {
    const finish = writer.begin();
    let exchange: OpenExchange | undefined;
    const began = (open: OpenExchange): void => void (exchange = open);
    const ended = (): void =>
      finish(
        { wire: exchange ? [exchange.record()] : [] },
        redaction([...secrets, ...(exchange?.secrets ?? [])]),
      );
    return noting(secrets, began, ended, piecesAhead)(fetch)(input, init);
  };
}

/** How many pieces of an answer are read before its reader asks for them: one that looks at the status alone reads none. */
const piecesAhead = 64;

async function* recorded(
  source: ModelSource,
  request: ModelRequest,
  writer: RecordingWriter,
  { secrets = [] }: RecordOptions,
): AsyncGenerator<ModelEvent, void, undefined> {
  const finish = writer.begin();
  const wire: OpenExchange[] = [];
  const wrap = noting(secrets, (exchange) => void wire.push(exchange));
  const model = overWire(source, wrap) ?? modelOf(source);
  const events: ModelEvent[] = [];
  const redact = (): Redaction => redaction([...secrets, ...wire.flatMap((exchange) => exchange.secrets)]);
  let end: Pick<Exchange, "error" | "left"> = { left: true };
  try {
    for await (const event of modelEvents(model, request)) {
      events.push(event);
      // A reader that has the last event need not come back for more.
      if (event.type === "finish") end = {};
      yield event;
    }
    end = {};
  } catch (error) {
    if (request.signal?.aborted !== true) end = { error: recordError(error, redact()) };
    throw error;
  } finally {
    const redactAll = redact();
    finish(
      {
        model: `${model.provider}:${model.modelId}`,
        ...exchangeOf(request, events, redactAll),
        ...end,
        ...(wire.length > 0 && { wire: wire.map((exchange) => exchange.record()) }),
      },
      redactAll,
    );
  }
}

/** A request and its events as they are written down. */
export function exchangeOf(
  { signal: _, ...request }: ModelRequest,
  events: readonly ModelEvent[],
  redact: Redaction,
): Required<Pick<Exchange, "request" | "events">> {
  const entry = {
    request,
    events: redactDeltas(
      events.map((event) => withoutAccount(event, redact)),
      redact,
    ),
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same as JSON, texts redacted
  return redact.json(entry) as unknown as Required<Pick<Exchange, "request" | "events">>;
}

/** A secret may lie in several pieces of one text, or of the arguments of one call. */
function redactDeltas(events: readonly ModelEvent[], redact: Redaction): readonly ModelEvent[] {
  const kindOf = (event: ModelEvent): string =>
    "text" in event ? `${event.type} ${"toolCallId" in event ? event.toolCallId : ""}` : "";
  const clean = new Map(
    [...Map.groupBy(events, kindOf)].map(([kind, group]) => [
      kind,
      redact.texts(group.map((event) => ("text" in event ? event.text : ""))).values(),
    ]),
  );
  return events.map((event) =>
    "text" in event ? { ...event, text: clean.get(kindOf(event))?.next().value ?? "" } : event,
  );
}

/** What a model may know of the account, and what its listeners made of the pieces, is left out. */
function withoutAccount(event: ModelEvent, redact: Redaction): ModelEvent {
  if (event.type === "tool-input-delta") return { ...event, partial: undefined };
  if (event.type !== "finish") return event;
  const { generation } = event;
  const headers = redact.answerHeaders(Object.entries(generation.response.headers));
  return { ...event, generation: { ...generation, response: { ...generation.response, headers } } };
}

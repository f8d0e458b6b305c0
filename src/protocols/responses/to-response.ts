import { assertKnownOptions, describeValue, invalidOption } from "../../base/options/known-options.ts";
import { sseFrame, sseResponse, type SseOptions } from "../../base/stream/sse-response.ts";
import { SkeinError } from "../../errors.ts";
import { checkedShow, type ShowOptions } from "../../run/public/show.ts";
import type { AnswerOptions } from "../kit/answer-reader.ts";
import { refusalOf } from "../kit/openai-error.ts";
import { framesOf, newId, seconds } from "../kit/openai-frames.ts";
import { encodeEvents, type RunEventSource, separately } from "../kit/source.ts";
import { ResponseEncoder } from "./encoder.ts";
import { emptyEcho, responseObject, type ResponseDescription } from "./response-object.ts";
import type { ResponseEcho, ResponseObject, ResponseStreamEvent } from "./types.ts";

/** What a response is called, and belongs to. */
export interface ResponseIdentity {
  /** The name of the model that the response reports. */
  readonly model: string;
  /** The id of the response, such as `"resp_1"`; a random one by default. Ids of items are made from it. */
  readonly id?: string;
  /** When the response was begun, in milliseconds since 1970; now by default. */
  readonly createdAt?: number;
  readonly previousResponseId?: string;
  /** Whether the response is made in the background; `false` by default. */
  readonly background?: boolean;
  readonly metadata?: Readonly<Record<string, string>>;
  /** What the response repeats of its request: `echo` of `fromResponsesRequest`. */
  readonly echo?: ResponseEcho;
}

/** How to report a run as a response. */
export interface ResponseOptions extends ResponseIdentity, AnswerOptions {
  /** Only `reasoning` counts: summaries of it are sent, unless it is `false`. The agent's own calls are never sent: a client would execute them. */
  readonly show?: ShowOptions;
  /** When the run was completed, in milliseconds since 1970; when its end is read by default. */
  readonly completedAt?: number;
}

/** How to report a run as the events of a response. */
export interface ResponseEventOptions extends ResponseOptions {
  /** Leaves out the events up to this `sequence_number`, for a client that has those. The source is read from its beginning all the same. */
  readonly startingAfter?: number;
}

/** How to answer a request of Responses. */
export interface ResponsesResponseOptions extends ResponseEventOptions, SseOptions {
  /** Whether to stream; `false` by default, as in a request without `stream`. */
  readonly stream?: boolean;
}

const identityNames = {
  model: true,
  id: true,
  createdAt: true,
  previousResponseId: true,
  background: true,
  metadata: true,
  echo: true,
} satisfies Record<keyof ResponseIdentity, true>;

const names = {
  ...identityNames,
  show: true,
  completedAt: true,
  output: true,
  tools: true,
} satisfies Record<keyof ResponseOptions, true>;

const eventNames = { ...names, startingAfter: true } satisfies Record<keyof ResponseEventOptions, true>;

const responseNames = {
  ...eventNames,
  stream: true,
  headers: true,
  keepAlive: true,
  onCancel: true,
} satisfies Record<keyof ResponsesResponseOptions, true>;

/**
 * The run as the events of a response: each text of an agent is a message, calls that the client is to execute are `function_call` items, and
 * calls that a person has to decide on `mcp_approval_request` items of the server `skein`. Numbers and ids are the same each time the run is
 * read. Where a process of a durable run has died, the item that was open is incomplete, another one follows, and the response at the end is
 * without it.
 * @param source - What `stream()` returns, or the `events()` of a durable run, from the response's first event on.
 * @throws ConfigurationError (`invalid-option`) for unknown options.
 */
export function toResponseEvents(
  source: RunEventSource,
  options: ResponseEventOptions,
): AsyncIterable<ResponseStreamEvent> {
  return separately(batchesOf(source, encoderFor(options, eventNames, "toResponseEvents()")));
}

/**
 * The run as a whole response, also if it fails. A durable run that waits for what no client can send is `in_progress`.
 * @throws SkeinError if the events of the run cannot be read to their end; ConfigurationError (`invalid-option`) for unknown options.
 */
export async function toResponse(source: RunEventSource, options: ResponseOptions): Promise<ResponseObject> {
  const encoder = encoderFor(options, names, "toResponse()");
  const response = await collect(source, encoder);
  if (!encoder.error) return response;
  const { code, message } = encoder.error;
  throw new SkeinError(message, { code });
}

/**
 * The HTTP response to a request of Responses: a stream or JSON, as `stream` says.
 * @throws ConfigurationError (`invalid-option`) for unknown options.
 */
export async function toResponsesResponse(
  source: RunEventSource,
  options: ResponsesResponseOptions,
): Promise<Response> {
  const encoder = encoderFor(options, responseNames, "toResponsesResponse()");
  const { stream = false, headers = {}, keepAlive, onCancel } = options;
  if (stream)
    return sseResponse(framesOf(batchesOf(source, encoder), frameOf), {
      headers,
      ...(keepAlive !== undefined && { keepAlive }),
      ...(onCancel && { onCancel }),
    });
  const response = await collect(source, encoder);
  return encoder.error ? refusalOf(encoder.error, headers) : Response.json(response, { headers });
}

/**
 * A response whose run has no events to read yet: what a request in the background gets at once.
 * @param status - How it stands.
 * @throws ConfigurationError (`invalid-option`) for unknown options.
 */
export function toUnreadResponse(
  status: "queued" | "in_progress" | "cancelled",
  options: ResponseIdentity,
): ResponseObject {
  assertKnownOptions(options, identityNames, "toUnreadResponse()");
  return responseObject(descriptionOf(options), {
    status,
    output: [],
    completedAt: undefined,
    end: undefined,
  });
}

function frameOf(event: ResponseStreamEvent): string {
  return `event: ${event.type}\n${sseFrame(JSON.stringify(event))}`;
}

/** The first events are there before the run has any. */
function batchesOf(
  source: RunEventSource,
  encoder: ResponseEncoder,
): AsyncIterableIterator<readonly ResponseStreamEvent[], void> {
  const batches = encodeEvents(source, encoder);
  let first: readonly ResponseStreamEvent[] = encoder.begin();
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => {
      if (first.length === 0) return batches.next();
      const value = first;
      first = [];
      return Promise.resolve({ done: false, value });
    },
    return: async () => {
      first = [];
      await batches.return?.();
      return { done: true, value: undefined };
    },
  };
}

async function collect(source: RunEventSource, encoder: ResponseEncoder): Promise<ResponseObject> {
  const events = encodeEvents(source, encoder);
  while ((await events.next()).done !== true);
  return encoder.response();
}

function encoderFor(
  options: ResponseEventOptions,
  allowed: Readonly<Record<string, true>>,
  place: string,
): ResponseEncoder {
  assertKnownOptions(options, allowed, place);
  const { show, output, tools, startingAfter = -1, completedAt } = options;
  if (!Number.isSafeInteger(startingAfter))
    throw invalidOption(
      `startingAfter of ${place} must be a sequence_number, not ${describeValue(startingAfter)}.`,
      { option: "startingAfter" },
    );
  return new ResponseEncoder({
    description: descriptionOf(options),
    show: checkedShow(show, place),
    ...(output !== undefined && { output }),
    ...(tools && { tools }),
    startingAfter,
    completedAt,
  });
}

function descriptionOf({ model, ...options }: ResponseIdentity): ResponseDescription {
  const { id = newId("resp_"), createdAt = Date.now(), background = false } = options;
  const { previousResponseId, metadata = {}, echo = emptyEcho } = options;
  return { id, model, created: seconds(createdAt), previousResponseId, background, metadata, echo };
}

import { flatten } from "../stream/flatten.ts";
import { type EventsAnswer, type JsonAnswer, parseJson, postForEvents } from "../model/http.ts";
import type { Model, ModelEvent, ModelRequest } from "../model/types.ts";
import { CallIds, usedCallIds, WireNames } from "../model/wire-names.ts";
import type { JsonObject } from "../util/json.ts";
import { type Connection, connect, defaultProvider, type OpenAIOptions } from "./options.ts";
import { isObject } from "./wire-values.ts";

/** What a decoder needs to know of the exchange. */
export interface AnswerContext {
  readonly provider: string;
  readonly modelId: string;
  readonly answer: EventsAnswer | JsonAnswer;
  readonly names: WireNames;
  readonly ids: CallIds;
  /** What the request could not say. */
  readonly warnings: readonly string[];
}

/** Reads one protocol's answer. What it finds goes to the end of `events`. */
export interface AnswerDecoder {
  /** Takes one event's data, or a whole answer. */
  push(value: JsonObject, events: ModelEvent[]): void;
  /** The server has said that nothing follows (`[DONE]`). */
  done(): void;
  /** The stream is over. Adds the finish event, or throws if the answer is not complete. */
  end(events: ModelEvent[]): void;
}

/** One of OpenAI's protocols. */
export interface Protocol {
  /** Beneath the base URL, such as `"/chat/completions"`. */
  readonly path: string;
  encode(
    connection: Connection,
    request: ModelRequest,
  ): { readonly body: object; readonly warnings: readonly string[] };
  decode(context: AnswerContext): AnswerDecoder;
}

/** A model that is reached through a protocol. Where its requests go is worked out at the first of them. */
export function modelOver(protocol: Protocol, modelId: string, options: OpenAIOptions): Model {
  const { provider = defaultProvider } = options;
  let connection: Connection | undefined;
  const connected = (): Connection => (connection ??= connect(modelId, protocol.path, options));
  return {
    provider,
    modelId,
    stream: (request) => flatten(batchesOf(protocol, connected, request), request.signal),
  };
}

/** Sends a request and gives the answer's events, those of each piece of the network at once. */
async function* batchesOf(
  protocol: Protocol,
  connected: () => Connection,
  request: ModelRequest,
): AsyncGenerator<readonly ModelEvent[], void, undefined> {
  const { signal } = request;
  const connection = connected();
  const { body, warnings } = protocol.encode(connection, request);
  const { provider, modelId, url, headers, fetch } = connection;
  const { timeout } = request.settings ?? {};
  const answer = await postForEvents({ provider, modelId, url, headers, body, fetch, signal, timeout });
  const names = new WireNames((request.tools ?? []).map((tool) => tool.name));
  const decoder = protocol.decode({
    provider,
    modelId,
    answer,
    names,
    ids: new CallIds(usedCallIds(request.messages)),
    warnings,
  });
  let events: ModelEvent[] = [];
  if (answer.kind === "json") {
    decoder.push(objectOf(answer.value, answer), events);
    decoder.done();
  } else {
    for await (const batch of answer.events) {
      try {
        for (const { data } of batch) {
          if (data !== "[DONE]") decoder.push(objectOf(parseJson(data, answer), answer), events);
          else {
            decoder.done();
            answer.ending();
          }
        }
      } catch (error) {
        // What came before the failure is told before it.
        yield events;
        signal?.throwIfAborted();
        throw error;
      }
      if (events.length === 0) continue;
      yield events;
      signal?.throwIfAborted();
      events = [];
    }
  }
  decoder.end(events);
  const finish = events.splice(-1);
  yield events;
  signal?.throwIfAborted();
  yield finish;
}

function objectOf(value: unknown, answer: EventsAnswer | JsonAnswer): JsonObject {
  if (isObject(value)) return value;
  throw answer.malformed(`sent JSON that is no object: ${JSON.stringify(value).slice(0, 200)}`);
}

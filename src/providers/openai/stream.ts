import { callIdsOf, repairHistory } from "../../message/repair-history.ts";
import { type AnswerDecoder, answerStream, type OpenAnswer } from "../../model/answer-stream.ts";
import { GenerationBuilder } from "../../model/generation-builder.ts";
import { parseJson, type PostAnswer, postForEvents } from "../../model/http.ts";
import type { Model, ModelRequest } from "../../model/types.ts";
import { withWireSeam } from "../../model/wire-seam.ts";
import { CallIds, WireNames } from "../../model/wire-names.ts";
import type { JsonObject } from "../../base/util/json.ts";
import { type Connection, connect, defaultProvider, type OpenAIOptions } from "./options.ts";
import { takesOutput } from "./output-format.ts";
import { isObject } from "./wire-values.ts";

/** What a decoder needs to know of the exchange. */
export interface AnswerContext {
  readonly provider: string;
  readonly modelId: string;
  readonly answer: PostAnswer;
  readonly builder: GenerationBuilder;
  readonly names: WireNames;
  readonly ids: CallIds;
  /** What the request could not say. */
  readonly warnings: readonly string[];
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
  const stream: Model["stream"] = (request) =>
    answerStream(() => open(protocol, connected(), request), request.signal);
  const model: Model = {
    provider,
    modelId,
    takesOutput: (spec) => takesOutput(spec, modelId, options),
    stream,
  };
  return withWireSeam(model, (wrap) =>
    modelOver(protocol, modelId, { ...options, fetch: wrap(options.fetch ?? globalThis.fetch) }),
  );
}

/** Sends a request; what its answer is read with is made while that is on its way. */
async function open(protocol: Protocol, connection: Connection, request: ModelRequest): Promise<OpenAnswer> {
  const { provider, modelId, url, headers, fetch } = connection;
  const builder = new GenerationBuilder();
  const { body, warnings } = protocol.encode(connection, {
    ...request,
    messages: repairHistory(request.messages),
  });
  const { signal, settings } = request;
  const timeout = settings?.timeout;
  const posted = postForEvents({ provider, modelId, url, headers, body, fetch, signal, timeout });
  const names = new WireNames((request.tools ?? []).map((tool) => tool.name));
  const ids = new CallIds(callIdsOf(request.messages));
  const answer = await posted;
  return { answer, decoder: protocol.decode({ provider, modelId, answer, builder, names, ids, warnings }) };
}

/** What a piece of an answer says, `undefined` for `[DONE]`. */
export function chunkOf(data: string, answer: PostAnswer): JsonObject | undefined {
  return data === "[DONE]" ? undefined : objectOf(parseJson(data, answer), answer);
}

/** `value`, if it is an object. */
export function objectOf(value: unknown, answer: PostAnswer): JsonObject {
  if (isObject(value)) return value;
  throw answer.malformed(`sent JSON that is no object: ${JSON.stringify(value).slice(0, 200)}`);
}

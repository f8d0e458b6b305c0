import { callIdsOf } from "../../message/repair-history.ts";
import { type AnswerDecoder, answerStream, type OpenAnswer } from "../../model/answer-stream.ts";
import { GenerationBuilder } from "../../model/generation-builder.ts";
import { type PostAnswer, postForEvents, warmUp } from "../../model/http.ts";
import { markSelfTimed } from "../../model/model-events.ts";
import type { Model, ModelRequest, OutputSpec } from "../../model/types.ts";
import { withWireSeam } from "../../model/wire-seam.ts";
import type { HttpAgent } from "../../transport/wire/types.ts";
import type { EndpointOptions } from "./endpoint.ts";
import type { FileApi, UploadOptions } from "./uploads/types.ts";
import type { Uploads } from "./uploads/uploads.ts";

/** Where a protocol's requests go. */
export interface HttpConnection {
  readonly provider: string;
  readonly modelId: string;
  readonly url: string;
  /** `undefined` leaves a header out. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly fetch: typeof globalThis.fetch | undefined;
  readonly agent?: HttpAgent | undefined;
}

/** A request in the form of a protocol. */
export interface EncodedRequest {
  /** Sent as JSON. */
  readonly body: object;
  /** The headers of this request, if they differ from the connection's. */
  readonly headers?: HttpConnection["headers"] | undefined;
  /** What could not be sent as requested, one sentence each. */
  readonly warnings: readonly string[];
}

/** What a decoder needs to read an answer. */
export interface AnswerContext<Encoded extends EncodedRequest = EncodedRequest> {
  readonly provider: string;
  readonly modelId: string;
  readonly answer: PostAnswer;
  readonly builder: GenerationBuilder;
  /** The ids of the calls in the history: the answer's calls must have other ids. */
  readonly usedIds: ReadonlySet<string>;
  readonly request: ModelRequest;
  /** The request that was sent. */
  readonly encoded: Encoded;
}

/** An API of a provider: how to reach it, write a request and read an answer. The functions are called in this order. */
export interface HttpProtocol<
  Options extends EndpointOptions,
  Connection extends HttpConnection,
  Encoded extends EncodedRequest,
> {
  /** `provider` of the models unless the options set another. */
  readonly defaultProvider: string;
  /** Called at the first request. Throws if the configuration is incomplete or invalid. */
  connect(modelId: string, options: Options): Connection;
  /** Pure: the same request always gives the same body. */
  encode(connection: Connection, request: ModelRequest): Encoded;
  /** The provider's API for files; loaded for a model with `uploads` alone. */
  files(connection: Connection): Promise<FileApi>;
  decode(context: AnswerContext<Encoded>): AnswerDecoder;
  /** Whether the API can enforce the schema of an output. */
  supportsOutput(output: OutputSpec, modelId: string, options: Options): boolean;
}

/** Creates a model that speaks a protocol. Where its requests go is determined at the first request. */
export function httpModel<
  Options extends EndpointOptions,
  Connection extends HttpConnection,
  Encoded extends EncodedRequest,
>(protocol: HttpProtocol<Options, Connection, Encoded>, modelId: string, options: Options): Model {
  const { provider = protocol.defaultProvider } = options;
  let connection: Connection | undefined;
  const openConnection = (): Connection => (connection ??= protocol.connect(modelId, options));
  let uploads: Promise<Uploads> | undefined;
  const open = async (request: ModelRequest): Promise<OpenAnswer> => {
    const target = openConnection();
    if (!options.uploads) return openAnswer(protocol, target, request);
    uploads ??= openUploads(protocol, target, options.uploads);
    return (await uploads).send(request, (stored) => openAnswer(protocol, target, stored));
  };
  const stream = markSelfTimed((request) => answerStream(() => open(request), request.signal));
  const model: Model = {
    provider,
    modelId,
    // Not the path, which may have a key in it.
    get origin() {
      return connection && URL.parse(connection.url)?.origin;
    },
    ...(options.providerTools && { providerTools: options.providerTools }),
    supportsOutput: (output) => protocol.supportsOutput(output, modelId, options),
    warm: async () => warmUp(openConnection()),
    stream,
  };
  return withWireSeam(model, (wrap) =>
    httpModel(protocol, modelId, {
      ...options,
      agent: undefined,
      fetch: wrap(options.fetch ?? globalThis.fetch),
    }),
  );
}

async function openUploads<Connection extends HttpConnection, Encoded extends EncodedRequest>(
  protocol: Pick<HttpProtocol<never, Connection, Encoded>, "encode" | "files">,
  connection: Connection,
  options: true | UploadOptions,
): Promise<Uploads> {
  const [{ Uploads }, api] = await Promise.all([import("./uploads/uploads.ts"), protocol.files(connection)]);
  const assertSendable = (request: ModelRequest): void => void protocol.encode(connection, request);
  return new Uploads(connection, api, assertSendable, options === true ? {} : options);
}

/** Sends a request, and prepares to read its answer while the request is under way. */
async function openAnswer<Connection extends HttpConnection, Encoded extends EncodedRequest>(
  protocol: Pick<HttpProtocol<never, Connection, Encoded>, "encode" | "decode">,
  connection: Connection,
  request: ModelRequest,
): Promise<OpenAnswer> {
  const { provider, modelId, url, fetch, agent } = connection;
  const builder = new GenerationBuilder({ provider, modelId });
  const encoded = protocol.encode(connection, request);
  const { body, headers = connection.headers } = encoded;
  const { signal, settings } = request;
  const timeout = settings?.timeout;
  const wire = { url, headers, body, fetch, agent };
  const exchange = postForEvents({ provider, modelId, ...wire, signal, timeout });
  const usedIds = callIdsOf(request.messages);
  const answer = await exchange;
  const context = { provider, modelId, answer, builder, usedIds, request, encoded };
  return { answer, decoder: protocol.decode(context), size: () => builder.size };
}

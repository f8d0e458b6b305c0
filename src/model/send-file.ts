import type * as platform from "#transport";
import { readText } from "../base/stream/sse.ts";
import {
  ContextLengthError,
  InvalidRequestError,
  MalformedResponseError,
  type ModelError,
  ModelTimeoutError,
} from "../errors.ts";
import { postByFetch } from "../transport/wire/fetch.ts";
import type { WireAnswer, WireExchange } from "../transport/wire/types.ts";
import { destinationOf, jsonOrText, type PostOptions } from "./http.ts";
import { providerError } from "./http-errors.ts";
import { networkError } from "./network-error.ts";
import { assertRealModelAllowed } from "./real-models.ts";
import { unlessAborted } from "../base/util/unless-aborted.ts";

/** A request of a provider's API for files. */
export interface FileRequest extends Omit<PostOptions, "body" | "timeout" | "signal"> {
  /** `"POST"` by default. */
  readonly method?: WireExchange["method"];
  readonly body?: WireExchange["body"];
  /** Ends the exchange. */
  readonly signal: AbortSignal;
}

/** What a provider's API for files has answered with a 2xx status. */
export interface FileAnswer {
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** The JSON of the body; its text where it is none. */
  readonly value: unknown;
}

/** How much of an answer is read, in bytes: it describes a file, and does not have its content. */
const mostBytes = 1_048_576;

/**
 * Sends a request of a provider's API for files, as the model's other requests are sent. Neither retries nor follows redirects.
 * @throws ModelError of the class that fits the failure; the signal's reason when it is aborted.
 */
export async function sendFile(request: FileRequest): Promise<FileAnswer> {
  const { provider, modelId, url, fetch, signal } = request;
  const { headers, redact } = destinationOf(request);
  assertRealModelAllowed(provider, modelId, url, fetch);
  const where = { provider, modelId, url, redact };
  let answer: WireAnswer;
  let text: string;
  try {
    answer = await exchange(request, headers);
    ({ text } = answer.body ? await readText(answer.body, mostBytes, { signal }) : { text: "" });
  } catch (error) {
    signal.throwIfAborted();
    throw networkError(where, "no connection to", error);
  }
  if (answer.isRedirect) throw networkError(where, "no answer from", new Error("unexpected redirect"));
  const received = new Map(answer.headers);
  const { status } = answer;
  if (status < 200 || status > 299)
    throw ofFile(
      providerError({ ...where, status, headers: Object.fromEntries(received), body: jsonOrText(text) }),
    );
  return { headers: received, value: jsonOrText(text) };
}

/** What is too much in an upload is the file: a shorter history would not help. */
function ofFile(error: ModelError): ModelError {
  if (!(error instanceof ContextLengthError)) return error;
  const { provider, modelId, status } = error;
  const message = `${provider}:${modelId} did not take an uploaded file${status === undefined ? "" : ` (${status})`}: it is larger than the provider stores. Send a smaller one.`;
  return new InvalidRequestError(message, error);
}

async function exchange(
  { url, method, body, signal, fetch, agent }: FileRequest,
  headers: Readonly<Record<string, string>>,
): Promise<WireAnswer> {
  const wire: WireExchange = { url, method, headers, body, signal };
  const answer = fetch
    ? // A custom one may not obey the signal.
      await unlessAborted(postByFetch(fetch, wire), signal)
    : await (await transport()).post(wire, agent);
  if (answer) return answer;
  throw new TypeError("the fetch returned no Response");
}

let loading: Promise<typeof platform> | undefined;

function transport(): Promise<typeof platform> {
  return (loading ??= import("#transport"));
}

/** The error of an answer that lacks what it must have. */
export function unreadableAnswer(
  { provider, modelId }: Pick<FileRequest, "provider" | "modelId">,
  what: string,
): MalformedResponseError {
  return new MalformedResponseError(`${provider}:${modelId} answered an upload without ${what}.`, {
    provider,
    modelId,
  });
}

/** The error of an upload that has taken too long. */
export function uploadTimeout(
  { provider, modelId }: Pick<FileRequest, "provider" | "modelId">,
  milliseconds: number,
): ModelTimeoutError {
  const message = `${provider}:${modelId} did not have an uploaded file ready within ${milliseconds} ms.`;
  return new ModelTimeoutError(message, { provider, modelId });
}

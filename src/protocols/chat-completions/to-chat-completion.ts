import { assertKnownOptions } from "../../base/options/known-options.ts";
import { sseFrame, sseResponse, type SseOptions } from "../../base/stream/sse-response.ts";
import { SkeinError } from "../../errors.ts";
import { type PublicError, publicError } from "../../run/public/public-error.ts";
import { checkedShow, type ShowOptions } from "../../run/public/show.ts";
import type { AnswerOptions } from "../kit/answer-reader.ts";
import { refusalOf } from "../kit/openai-error.ts";
import { framesOf, newId, seconds } from "../kit/openai-frames.ts";
import { encodeEvents, type RunEventSource, separately } from "../kit/source.ts";
import { ChatCompletionEncoder, type ChatEncoderOptions, type ChatStreamItem } from "./encoder.ts";
import type { ChatCompletion } from "./types.ts";

/** How to report a run as an answer of Chat Completions. */
export interface ChatCompletionOptions extends AnswerOptions {
  /** The name of the model that the answer reports. */
  readonly model: string;
  /** The id of the answer; a random one by default. */
  readonly id?: string;
  /** When the answer was begun, in milliseconds since 1970; now by default. */
  readonly createdAt?: number;
  /** Whether the last chunk of a stream has the usage (`stream_options.include_usage`); `false` by default. A whole answer always has it. */
  readonly includeUsage?: boolean;
  /** Only `reasoning` counts, and is `false` by default, unlike elsewhere: OpenAI's protocol has no field for it. The agent's own calls are never sent. */
  readonly show?: ShowOptions;
}

/** How to answer a request of Chat Completions. */
export interface ChatCompletionResponseOptions extends ChatCompletionOptions, SseOptions {
  /** Whether to stream; `false` by default, as in a request without `stream`. */
  readonly stream?: boolean;
}

const names = {
  model: true,
  id: true,
  createdAt: true,
  includeUsage: true,
  show: true,
  output: true,
  tools: true,
} satisfies Record<keyof ChatCompletionOptions, true>;

const responseNames = {
  ...names,
  stream: true,
  headers: true,
  keepAlive: true,
  onCancel: true,
} satisfies Record<keyof ChatCompletionResponseOptions, true>;

/**
 * The run as chunks. All text of a run is one answer: the texts of two turns are separated by an empty line. A run that fails, is
 * cancelled, or waits for an approval ends with an error, `{ error: { message, type, param, code } }`, as in OpenAI's streams.
 * @param source - What `stream()` returns, or the `events()` of a durable run.
 * @throws ConfigurationError (`invalid-option`) for unknown options.
 */
export function toChatCompletionChunks(
  source: RunEventSource,
  options: ChatCompletionOptions,
): AsyncIterable<ChatStreamItem> {
  return separately(encodeEvents(source, encoderFor(options, names, "toChatCompletionChunks()")));
}

/**
 * The run as one answer. Its `content` is what the chunks of the same run add up to.
 * @throws SkeinError for a run that fails (with the code of its failure), is cancelled (`cancelled`), or waits for an approval
 * (`approval-required`) or something else that this protocol does not have (`paused`); ConfigurationError for unknown options.
 */
export async function toChatCompletion(
  source: RunEventSource,
  options: ChatCompletionOptions,
): Promise<ChatCompletion> {
  const completion = await collect(source, encoderFor(options, names, "toChatCompletion()"));
  if ("id" in completion) return completion;
  const { code, message } = completion;
  throw new SkeinError(message, { code });
}

/**
 * The response to a request of Chat Completions: a stream or JSON, as `stream` says.
 * @returns A promise, since the status of JSON depends on how the run ends.
 * @throws ConfigurationError (`invalid-option`) for unknown options.
 */
export async function toChatCompletionResponse(
  source: RunEventSource,
  options: ChatCompletionResponseOptions,
): Promise<Response> {
  const encoder = encoderFor(options, responseNames, "toChatCompletionResponse()");
  const { stream = false, headers = {}, keepAlive, onCancel } = options;
  if (stream) {
    const frames = framesOf(encodeEvents(source, encoder), (item) => sseFrame(JSON.stringify(item)));
    return sseResponse(frames, {
      headers,
      ...(keepAlive !== undefined && { keepAlive }),
      ...(onCancel && { onCancel }),
    });
  }
  const completion = await collect(source, encoder);
  return "id" in completion ? Response.json(completion, { headers }) : refusalOf(completion, headers);
}

async function collect(
  source: RunEventSource,
  encoder: ChatCompletionEncoder,
): Promise<ChatCompletion | PublicError> {
  const chunks = encodeEvents(source, encoder);
  while ((await chunks.next()).done !== true);
  return encoder.completion() ?? encoder.error ?? publicError(undefined);
}

function encoderFor(
  options: ChatCompletionOptions,
  allowed: Readonly<Record<string, true>>,
  place: string,
): ChatCompletionEncoder {
  assertKnownOptions(options, allowed, place);
  const { model, id = newId("chatcmpl-"), createdAt = Date.now(), includeUsage = false } = options;
  const { show = {}, output, tools } = options;
  const settings: ChatEncoderOptions = {
    id,
    created: seconds(createdAt),
    model,
    includeUsage,
    showReasoning: checkedShow({ ...show, reasoning: show.reasoning ?? false }, place).reasoning,
    ...(output !== undefined && { output }),
    tools,
  };
  return new ChatCompletionEncoder(settings);
}

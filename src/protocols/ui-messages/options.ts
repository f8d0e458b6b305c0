import { assertKnownOptions, describeValue, invalidOption } from "../../base/options/known-options.ts";
import type { SseOptions } from "../../base/stream/sse-response.ts";
import type { PendingCall } from "../../message/run-state.ts";
import { checkedShow, type ShowOptions } from "../../run/public/show.ts";

/** How to write a run as a UI message stream. */
export interface UIMessageChunkOptions {
  /** What of the run is sent: reasoning, calls, results, the words of tools' errors. */
  readonly show?: ShowOptions;
  /** The id of the assistant's message; random by default, and that of the client's last message for one that goes on. */
  readonly messageId?: string;
  /** Whether `finish` tells the agent's name, the status and the usage of tokens; `true` by default. */
  readonly metadata?: boolean;
  /**
   * Set where the stream goes on with a message that the client has already: after a decision, or the result of a tool of the client's
   * own. Calls that the run takes up again are not started once more.
   */
  readonly isContinuation?: boolean;
  /**
   * Of a continuation: the calls that had been waiting, `pending` of the paused run. Results of calls that were made within others reach
   * their parts only if this names them.
   */
  readonly pending?: readonly PendingCall[];
}

/** How to send a run as a UI message stream. */
export interface UIMessageResponseOptions
  extends UIMessageChunkOptions, Pick<SseOptions, "keepAlive" | "onCancel"> {}

/** The options of an encoder with their defaults. */
export interface EncoderOptions {
  readonly show: Required<ShowOptions>;
  readonly messageId: string | undefined;
  readonly metadata: boolean;
  readonly isContinuation: boolean;
  readonly pending: readonly PendingCall[] | undefined;
}

const chunkOptions: Readonly<Record<keyof UIMessageChunkOptions, true>> = {
  show: true,
  messageId: true,
  metadata: true,
  isContinuation: true,
  pending: true,
};

const responseOptions: Readonly<Record<keyof UIMessageResponseOptions, true>> = {
  ...chunkOptions,
  keepAlive: true,
  onCancel: true,
};

/**
 * Checks the options of `toUIMessageChunks`.
 * @throws ConfigurationError (`invalid-option`)
 */
export function checkedChunkOptions(options: UIMessageChunkOptions): EncoderOptions {
  assertKnownOptions(options, chunkOptions, "toUIMessageChunks()");
  return withDefaults(options, "toUIMessageChunks()");
}

/**
 * Checks the options of `toUIMessageResponse`.
 * @throws ConfigurationError (`invalid-option`)
 */
export function checkedResponseOptions(options: UIMessageResponseOptions): EncoderOptions {
  assertKnownOptions(options, responseOptions, "toUIMessageResponse()");
  return withDefaults(options, "toUIMessageResponse()");
}

function withDefaults(options: UIMessageChunkOptions, place: string): EncoderOptions {
  const { show, metadata = true, isContinuation = false, pending } = options;
  // Without an id, the client goes on with its last message.
  const { messageId = isContinuation ? undefined : crypto.randomUUID() } = options;
  if (messageId === undefined || (typeof messageId === "string" && messageId !== ""))
    return { show: checkedShow(show, place), messageId, metadata, isContinuation, pending };
  throw invalidOption(
    `The messageId of ${place} must be a text that is not empty, not ${describeValue(messageId)}.`,
    { option: "messageId" },
  );
}

import type { SseOptions } from "../../base/stream/sse-response.ts";
import { assertFunction } from "../../base/options/assert-function.ts";
import { assertKnownOptions, describeValue, invalidOption } from "../../base/options/known-options.ts";
import type { ConfigurationError } from "../../errors.ts";
import { checkedShow, type ShowOptions } from "../../run/public/show.ts";
import type { AgUiMessage } from "./types.ts";

/** How to send a run to an AG-UI client. */
export interface AgUiOptions {
  /** The conversation, from the client's input. */
  readonly threadId: string;
  /** The run, from the client's input. Ids of messages begin with it. */
  readonly runId: string;
  /** What of the run the client sees. */
  readonly show?: ShowOptions;
  /**
   * What the client has before the first event of the source: `agUiMessages` of its input, or `toAgUiMessages(...)` of a history that a reader
   * joins. With it, all messages are restated (`MESSAGES_SNAPSHOT`) before an interrupt, where an answer is taken back, and to a reader that
   * comes in the middle of a run. A function is called once, when the stream is read.
   */
  readonly messages?: readonly AgUiMessage[] | (() => readonly AgUiMessage[]);
  /**
   * What of the context the client sees as the state: JSON. It is sent when the run begins (`STATE_SNAPSHOT`); what tools change of it, before
   * the next turn (`STATE_DELTA`). The events of durable runs have no context, and so no state. By default no state is sent.
   */
  readonly state?: (context: unknown) => unknown;
}

/** How to send a run as a response. */
export interface AgUiResponseOptions extends AgUiOptions, SseOptions {}

/** The options, checked. */
export interface EncoderSettings {
  readonly threadId: string;
  readonly runId: string;
  readonly show: Required<ShowOptions>;
  readonly messages: readonly AgUiMessage[] | undefined;
  readonly state: AgUiOptions["state"];
}

const optionNames = {
  threadId: true,
  runId: true,
  show: true,
  messages: true,
  state: true,
} satisfies Record<keyof AgUiOptions, true>;

/** The names of the options of a response. */
export const responseOptionNames: Readonly<Record<keyof AgUiResponseOptions, true>> = {
  ...optionNames,
  headers: true,
  keepAlive: true,
  onCancel: true,
};

/**
 * Checks options.
 * @param place - The function that they are given to, for errors.
 * @returns What makes the settings once the stream is read.
 * @throws ConfigurationError (`invalid-option`)
 */
export function checkedOptions(options: AgUiOptions, place: string): () => EncoderSettings {
  assertKnownOptions(options, optionNames, place);
  const { threadId, runId, show, messages, state } = options;
  assertId("threadId", threadId, place);
  assertId("runId", runId, place);
  assertFunction("state", state, place, "state: ({ cart }) => ({ cart })");
  if (Object.prototype.toString.call(state) === "[object AsyncFunction]") throw asyncState(place);
  if (messages !== undefined && typeof messages !== "function" && !Array.isArray(messages))
    throw invalidOption(
      `messages of ${place} must be a list or a function, not ${describeValue(messages)}. Pass agUiMessages of fromAgUiInput(body).`,
      { option: "messages" },
    );
  const checked = checkedShow(show, place);
  return () => ({
    threadId,
    runId,
    show: checked,
    messages: typeof messages === "function" ? messages() : messages,
    state,
  });
}

/** The error for a state that is not there when it is to be sent. */
export function asyncState(place: string): ConfigurationError {
  return invalidOption(
    `state of ${place} returns a promise, and the state is sent at once. Return what the context has: state: ({ cart }) => ({ cart }).`,
    { option: "state" },
  );
}

function assertId(option: string, value: unknown, place: string): void {
  if (typeof value === "string" && value !== "") return;
  throw invalidOption(
    `${option} of ${place} must be a text, not ${describeValue(value)}. Pass that of the client's input.`,
    { option },
  );
}

import { describeValue } from "../../base/options/known-options.ts";
import { safeMessage } from "../../base/util/error-message.ts";
import { frozen } from "../../base/util/snapshot.ts";
import { InvalidInputError } from "../../errors.ts";
import { answerAbandonedCalls } from "../../message/unanswered-calls.ts";
import type { Message, UserMessage } from "../../message/messages.ts";
import type { RunState, SentMessage } from "../../message/run-state.ts";
import { uniqueCallIds } from "../turn/unique-call-ids.ts";
import { readMessage, readStoredMessage } from "./input-message.ts";
import { assertState } from "./state-shape.ts";
import type { RunInput } from "../types.ts";

/** Whether the input of a run is the state of an earlier one. */
export function isRunState(input: RunInput | undefined): input is RunState {
  return typeof input === "object" && input !== null && !Array.isArray(input);
}

/**
 * @param problem - What the error says.
 * @throws InvalidInputError for the JSON of a state: it would be sent to the model as a message.
 */
export function assertNotStateText(
  input: string,
  problem = "The input is the JSON text of a run state. Pass JSON.parse(text).",
): void {
  if (!input.includes('"version"') || !/^[\s\uFEFF]*\{/.test(input) || !isStateText(input)) return;
  throw new InvalidInputError(problem);
}

function isStateText(text: string): boolean {
  try {
    const { version, agent, messages }: Partial<RunState> = JSON.parse(text.replace(/^\uFEFF/, ""));
    return typeof version === "number" && typeof agent === "string" && Array.isArray(messages);
  } catch {
    // Any other text is a message.
    return false;
  }
}

/**
 * The history that a run begins with, copied.
 * @throws InvalidInputError naming the first item that is not a message.
 */
export function inputMessages(input: RunInput | undefined): Message[] {
  if (typeof input === "string") return [{ role: "user", content: input }];
  if (isRunState(input)) {
    assertVersion(input);
    assertState(input);
    return input.messages.map(readStoredMessage);
  }
  if (Array.isArray(input)) return withUniqueIds(answerAbandonedCalls(input.map(readMessage)));
  const received = input === null ? "null" : typeof input;
  throw new InvalidInputError(
    `The input must be a text, a list of messages or a state, not ${received}.${input === undefined ? " A session in which no run has begun has no state." : ""}`,
  );
}

/** How many messages may wait for a run that works: a page, or a program that writes to it, must not fill the memory. */
export const mostMessages = 1_000;

/**
 * A copy of what a caller has passed, who may change it before it is read.
 * @param what - What it is, for the error.
 * @throws InvalidInputError for what cannot be read, or is nested deeper than 1,000 levels.
 */
export function snapshotOf<T>(value: T, what: string): T {
  try {
    return frozen(value);
  } catch (error) {
    throw new InvalidInputError(`${what} cannot be read: ${safeMessage(error)}.`);
  }
}

/**
 * What the user has sent to a run that works.
 * @param read - How the message is read: as an input, unless it is stored.
 * @throws InvalidInputError for anything else than a text or a message of the user.
 */
export function userMessage(
  input: string | UserMessage,
  place: string,
  read: (input: UserMessage, index: number) => Message = readMessage,
): UserMessage {
  if (typeof input === "string") {
    assertNotStateText(input, `${place} takes a message of the user, not the JSON text of a run state.`);
    return { role: "user", content: input };
  }
  const message = snapshotOf(read(input, 0), `The message that ${place} takes`);
  if (message.role === "user") return message;
  throw new InvalidInputError(
    `${place} takes a text or a message of the user, not one of the ${message.role}.`,
  );
}

/**
 * What the user has sent to an earlier run and that did not read, as a state or a session has it.
 * @throws InvalidInputError for anything else than messages of the user.
 */
export function unreadMessages(unread: readonly SentMessage[] = []): readonly SentMessage[] {
  return unread.map(({ when, message }) => ({
    when,
    message: userMessage(message, "The unread of a state", readStoredMessage),
  }));
}

/** The calls at the end of a list are going to be executed: each needs an id of its own. */
function withUniqueIds(messages: readonly Message[]): Message[] {
  const end = messages.findLastIndex(({ role }) => role !== "tool");
  const last = messages[end];
  if (last?.role !== "assistant") return [...messages];
  const results = messages.slice(end + 1).flatMap((each) => (each.role === "tool" ? each.result : []));
  return messages.with(end, uniqueCallIds(last, new Set(results.map(({ toolCallId }) => toolCallId))));
}

function assertVersion(state: RunState): void {
  if (state.version === 1) return;
  if ("role" in state) throw new InvalidInputError("The input is a single message. Pass a list: [message].");
  if ("prompt" in state)
    throw new InvalidInputError('The input is an object. Pass the text itself: run(agent, "Hello").');
  throw new InvalidInputError(
    `The input must be a run state of version 1, but its version is ${describeValue(state.version)}. Pass result.state or error.state unchanged, or a list of messages.`,
  );
}

import type { DurableState } from "../durable/types.ts";
import { endedStatuses } from "../durable/stored-run.ts";
import type { Message } from "../message/messages.ts";
import { sameJson } from "../base/util/same-json.ts";

/** The messages of a conversation, with those that wait to be read: what a run was started with, and what was sent to it since. */
export function withInput({ messages, input, hasBegun, status, unread }: DurableState): readonly Message[] {
  const waiting = hasBegun || endedStatuses.includes(status) ? [] : input;
  return [...messages, ...waiting, ...unread];
}

/** The messages up to what a run was started with: its events have all that came after, messages of the user too. */
export function beforeAnswer(state: DurableState): readonly Message[] {
  const messages = withInput(state);
  const last = messages.findLastIndex((message) => sameJson(message, state.input.at(-1)));
  return messages.slice(0, last + 1);
}

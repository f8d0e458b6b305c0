import type { DurableState } from "../durable/types.ts";
import { endedStatuses } from "../durable/stored-run.ts";
import type { Message } from "../message/messages.ts";
import { sameJson } from "../base/util/same-json.ts";

/** The messages of a conversation, with those that wait to be read: what a run was started with, and what was sent to it since. */
export function withInput(state: DurableState): readonly Message[] {
  return [...withoutUnread(state), ...state.unread];
}

/** The same without what was sent to a run since it was started, which stands behind its open calls. */
export function withoutUnread({ messages, input, hasBegun, status }: DurableState): readonly Message[] {
  return hasBegun || endedStatuses.includes(status) ? messages : [...messages, ...input];
}

/** The messages up to what a run was started with: its events have all that came after, messages of the user too. */
export function beforeAnswer(state: DurableState): readonly Message[] {
  const messages = withoutUnread(state);
  const last = messages.findLastIndex((message) => sameJson(message, state.input.at(-1)));
  return messages.slice(0, last + 1);
}

import { sameJson } from "../base/util/same-json.ts";
import type { Message, UserMessage } from "../message/messages.ts";
import type { StoredConversation } from "../run/session/stored-conversation.ts";
import type { DurableStore } from "./store.ts";
import type { StoredRun } from "./stored-run.ts";

/**
 * The run that worked in a conversation before. Once the next has begun, that is the one that worked there last.
 * @param run - The next run, which has not begun.
 */
export async function runBefore(
  store: DurableStore,
  run: StoredRun,
  { state }: StoredConversation,
): Promise<StoredRun | undefined> {
  if (!state || state.runId === run.id) return undefined;
  const earlier = await store.read(state.runId);
  // That of a run that is not durable names none, or that of another conversation.
  return earlier?.log === run.log ? earlier : undefined;
}

/** What the user has sent to a run, and no model has read yet. */
export function unreadBy(
  { id, data: { userMessages = [] } }: StoredRun,
  { state }: StoredConversation,
): readonly UserMessage[] {
  const isOwn = state?.runId === id;
  const { unread = [], received = 0 } = isOwn ? state : {};
  return [...unread, ...userMessages.slice(received)].map(({ message }) => message);
}

/**
 * What the user has sent to a run that has ended before it received that: as in any session, the next run reads it.
 * @param input - What the next run is started with: a client may have sent it again.
 */
export function unreceivedBy(
  earlier: StoredRun | undefined,
  { state }: StoredConversation,
  input: readonly Message[],
): readonly UserMessage[] {
  if (!state || !earlier) return [];
  const { userMessages = [] } = earlier.data;
  const messages = userMessages.slice(state.received ?? 0).map(({ message }) => message);
  return messages.filter((message) => !input.some((each) => sameJson(each, message)));
}

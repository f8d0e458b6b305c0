import type { UserMessage } from "../message/messages.ts";
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

/** What the user has sent to a run that has ended before it received that: as in any session, the next run reads it. */
export function unreceivedBy(
  earlier: StoredRun | undefined,
  { state }: StoredConversation,
): readonly UserMessage[] {
  if (!state || !earlier) return [];
  const { userMessages = [] } = earlier.data;
  return userMessages.slice(state.received ?? 0).map(({ message }) => message);
}

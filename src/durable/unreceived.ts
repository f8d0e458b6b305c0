import type { UserMessage } from "../message/messages.ts";
import type { StoredConversation } from "../run/session/stored-conversation.ts";
import type { DurableStore } from "./store.ts";
import type { StoredRun } from "./stored-run.ts";

/**
 * What the user has sent to the run that worked in a conversation before, and which has ended before it received that: as in any session,
 * the next run reads it. Once that has begun, it is the one that worked there last.
 * @param run - The next run, which has not begun.
 */
export async function unreceivedBefore(
  store: DurableStore,
  run: StoredRun,
  { state }: StoredConversation,
): Promise<readonly UserMessage[]> {
  if (!state || state.runId === run.id) return [];
  const earlier = await store.read(state.runId);
  // That of a run that is not durable names none, or that of another conversation.
  if (earlier?.log !== run.log) return [];
  const { userMessages = [] } = earlier.data;
  return userMessages.slice(state.received ?? 0).map(({ message }) => message);
}

import { mergeOwn } from "../../base/util/snapshot.ts";
import { changeOf } from "../../message/cleared.ts";
import type { CallChanges } from "../../message/run-state.ts";
import type { Message } from "../../message/messages.ts";

/** A context with what calls have changed, shallowly and in call order. */
export function withChanges(context: unknown, changes: readonly CallChanges[]): unknown {
  const contexts = changes.flatMap((each) => changeOf(each) ?? []);
  return contexts.length === 0 ? context : mergeOwn([context, ...contexts]);
}

/** Changes in the order in which the last answer has their calls: one that was executed after a pause may come before others. */
export function inCallOrder(
  changes: readonly CallChanges[],
  messages: readonly Message[],
): readonly CallChanges[] {
  const answer = messages.findLast((message) => message.role === "assistant");
  const places = new Map(answer?.toolCalls.map(({ toolCallId }, place) => [toolCallId, place]));
  const placeOf = ({ toolCallId }: CallChanges): number => places.get(toolCallId) ?? -1;
  return changes.toSorted((one, other) => placeOf(one) - placeOf(other));
}

import type { CallChanges } from "../../message/run-state.ts";
import type { Message, ToolMessage, ToolResult } from "../../message/messages.ts";
import { printStep, type StepKey } from "../../message/step-key.ts";
import { unansweredCalls } from "../../message/unanswered-calls.ts";
import { isObject } from "../../base/util/json.ts";
import { inCallOrder, withChanges } from "../state/call-changes.ts";
import type { SessionState } from "./session.ts";
import type { StoredConversation } from "./stored-conversation.ts";

/** What a session has of a call that was finished when its process died: its outcome, but no message yet. */
interface FinishedCall {
  readonly result: ToolResult;
  readonly context: unknown;
  readonly cleared: unknown;
  readonly agent: unknown;
}

/** The conversation with the results of calls that were finished when the process of the run died: nobody must make them again. */
export function withFinishedCalls(conversation: StoredConversation): StoredConversation {
  const calls = conversation.state ? finishedCalls(conversation, conversation.state) : [];
  if (!conversation.state || calls.length === 0) return conversation;
  const { changes: earlier = [], ...state } = conversation.state;
  const results = calls.map(({ result }): ToolMessage => ({ role: "tool", result }));
  const changes = inCallOrder([...earlier, ...calls.flatMap(changesOf)], conversation.view);
  const lead = changes.findLast(({ agent }) => agent !== undefined)?.agent;
  const extend = (messages: readonly Message[]): readonly Message[] => [...messages, ...results];
  const view = extend(conversation.view);
  const isDone = unansweredCalls(view).length === 0;
  return {
    ...conversation,
    messages: extend(conversation.messages),
    view,
    state: {
      ...state,
      ...(lead !== undefined && { agent: lead }),
      ...(isDone ? { context: withChanges(state.context, changes) } : changes.length > 0 && { changes }),
    },
  };
}

function changesOf({
  result: { toolCallId },
  context,
  cleared,
  agent,
}: FinishedCall): readonly CallChanges[] {
  const change = {
    ...(isObject(context) && { context }),
    ...(Array.isArray(cleared) && { cleared: cleared.map(String) }),
    ...(typeof agent === "string" && { agent }),
  };
  return Object.keys(change).length === 0 ? [] : [{ toolCallId, ...change }];
}

function finishedCalls({ view, steps }: StoredConversation, { runId, turn }: SessionState): FinishedCall[] {
  return unansweredCalls(view).flatMap(({ toolCallId }) => {
    const key: StepKey = { runId, turn, kind: "tool", id: toolCallId };
    const stored = steps.get(printStep({ ...key, decided: true })) ?? steps.get(printStep(key));
    if (!isObject(stored) || !isResult(stored["result"])) return [];
    const { result, context, cleared, agent, final } = stored;
    return [{ result: final === true ? { ...result, final } : result, context, cleared, agent }];
  });
}

function isResult(value: unknown): value is ToolResult {
  return isObject(value) && typeof value["toolCallId"] === "string" && Array.isArray(value["content"]);
}

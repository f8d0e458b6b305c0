import { decidableCalls } from "../message/nested-work.ts";
import type { ApprovalDecision, PendingCall } from "../message/run-state.ts";
import { sleepsUntil, tokenOf, waitsUntil } from "../message/waits.ts";
import { stateOfSession } from "../run/session/read-session.ts";
import type { StoredConversation } from "../run/session/stored-conversation.ts";
import type { ExternalResult } from "../run/types.ts";
import type { InboxItem } from "./stored-run.ts";

/** What has come for calls that still wait. */
interface Answers {
  readonly approvals: readonly ApprovalDecision[];
  readonly results: readonly ExternalResult[];
}

/** The calls of a run that wait for a decision, a time, or a result from elsewhere: not those that are under way. */
export function waitingCalls({ view, state }: StoredConversation): readonly PendingCall[] {
  if (!state) return [];
  const { pending, nested = [] } = stateOfSession(view, state);
  return decidableCalls(pending, nested).filter(
    ({ approvalId, input }) => approvalId !== undefined || input !== undefined,
  );
}

/** Those of them that have neither a decision nor a result yet. */
export function undecidedCalls(
  conversation: StoredConversation,
  inbox: readonly InboxItem[],
): readonly PendingCall[] {
  const { decisions } = conversation;
  const hasAnswer = answersIn(inbox);
  return waitingCalls(conversation).filter(
    (call) => !(call.approvalId !== undefined && decisions.has(call.approvalId)) && !hasAnswer(call),
  );
}

/** Finds out whether the answer to a call is in an inbox. */
export function answersIn(inbox: readonly InboxItem[]): (call: PendingCall) => boolean {
  const decided = new Set(inbox.flatMap((item) => ("decision" in item ? [item.decision.approvalId] : [])));
  const resolved = new Set(inbox.flatMap((item) => ("result" in item ? [item.result.toolCallId] : [])));
  return ({ approvalId, toolCallId }) =>
    approvalId === undefined ? resolved.has(toolCallId) : decided.has(approvalId);
}

/** Finds out whether something of an inbox is the answer to one of these calls. */
export function answersTo(calls: readonly PendingCall[]): (item: InboxItem) => boolean {
  const approvals = new Set(calls.map(({ approvalId }) => approvalId));
  const ids = new Set(
    calls.flatMap(({ approvalId, toolCallId }) => (approvalId === undefined ? [toolCallId] : [])),
  );
  return (item) =>
    "decision" in item ? approvals.has(item.decision.approvalId) : ids.has(item.result.toolCallId);
}

/**
 * What ends calls that have waited for too long: it is put into the inbox, so that nobody decides on them any more.
 * @param expired - The approvals whose time is over.
 */
export function overdueItems(
  conversation: StoredConversation,
  inbox: readonly InboxItem[],
  expired: ReadonlySet<string>,
): readonly InboxItem[] {
  const now = Date.now();
  return undecidedCalls(conversation, inbox).flatMap((call): readonly InboxItem[] => {
    const { approvalId, toolCallId } = call;
    if (approvalId !== undefined) return expired.has(approvalId) ? [{ decision: denialOf(approvalId) }] : [];
    if ((waitsUntil(call) ?? Number.POSITIVE_INFINITY) > now) return [];
    const content = `Nothing came for "${tokenOf(call)}" in time.`;
    return [{ result: { toolCallId, content, isError: true } }];
  });
}

/**
 * What of an inbox is for calls that wait, since a process that died may have carried out some of it; and what came by itself.
 * @param waiting - The calls that wait.
 * @param ended - The results of runs that calls wait for.
 */
export function openAnswers(
  conversation: StoredConversation,
  inbox: readonly InboxItem[],
  waiting: readonly PendingCall[],
  ended: readonly ExternalResult[],
): Answers {
  const approvalIds = new Set(waiting.map(({ approvalId }) => approvalId));
  const callIds = new Set(waiting.map(({ toolCallId }) => toolCallId));
  const results = inbox.flatMap((item) => ("result" in item ? [item.result] : []));
  const resolved = new Set(results.map(({ toolCallId }) => toolCallId));
  const decided = inbox.flatMap((item) => ("decision" in item ? [item.decision] : []));
  return {
    approvals: decided.filter(
      ({ approvalId }) => approvalIds.has(approvalId) && !conversation.decisions.has(approvalId),
    ),
    results: [
      ...results.filter(({ toolCallId }) => callIds.has(toolCallId)),
      ...[...endsOfSleeps(waiting), ...ended].filter(({ toolCallId }) => !resolved.has(toolCallId)),
    ],
  };
}

function endsOfSleeps(waiting: readonly PendingCall[]): readonly ExternalResult[] {
  const now = Date.now();
  return waiting.flatMap((call) =>
    (sleepsUntil(call) ?? Number.POSITIVE_INFINITY) <= now
      ? [{ toolCallId: call.toolCallId, content: null }]
      : [],
  );
}

function denialOf(approvalId: string): ApprovalDecision {
  return { approvalId, decision: "deny", reason: "No person decided on it in time." };
}

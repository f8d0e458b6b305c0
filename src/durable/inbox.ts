import { toStorable } from "../base/util/storable.ts";
import { InvalidInputError } from "../errors.ts";
import { decidableCalls } from "../message/nested-work.ts";
import type { ApprovalDecision, PendingCall } from "../message/run-state.ts";
import { runOf, sleepsUntil, tokenOf, waitsUntil } from "../message/waits.ts";
import { assertWhole } from "../run/resume/external-results.ts";
import { assertDecision } from "../run/resume/decisions.ts";
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
  return waitingCalls(conversation).filter(
    (call) => !(call.approvalId !== undefined && decisions.has(call.approvalId)) && !hasAnswer(call, inbox),
  );
}

/** Whether the answer to a call is in an inbox. */
export function hasAnswer(call: PendingCall, inbox: readonly InboxItem[]): boolean {
  return inbox.some((item) => isFor(item, call));
}

/** Whether something of an inbox is the answer to a call. */
export function isFor(item: InboxItem, { approvalId, toolCallId }: PendingCall): boolean {
  if ("decision" in item) return item.decision.approvalId === approvalId;
  return approvalId === undefined && item.result.toolCallId === toolCallId;
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

/**
 * A decision as it is stored.
 * @param others - The calls of other runs that wait: an error names them, too.
 * @throws InvalidInputError unless it is for a call that waits, and the first for it.
 */
export function checkedDecision(
  decision: ApprovalDecision,
  conversation: StoredConversation,
  inbox: readonly InboxItem[],
  others: readonly PendingCall[],
): InboxItem {
  const { approvalId } = assertDecision(decision, "decide()");
  const earlier = [
    ...conversation.decisions.values(),
    ...inbox.flatMap((item) => ("decision" in item ? [item.decision] : [])),
  ].find((each) => each.approvalId === approvalId);
  if (earlier)
    throw new InvalidInputError(
      `The call of the approval "${approvalId}" was ${earlier.decision === "approve" ? "approved" : "denied"} before. A decision cannot be changed.`,
      { approvalId, decision: earlier.decision },
    );
  const waiting = waitingCalls(conversation);
  if (waiting.some((call) => call.approvalId === approvalId))
    return { decision: plain(decision, "The decision") };
  const open = [...waiting, ...others].flatMap((call) => call.approvalId ?? []);
  throw new InvalidInputError(
    `No call waits for the approval "${approvalId}" (waiting: ${open.join(", ") || "none"}).`,
    { approvalId, pending: open },
  );
}

/**
 * A result as it is stored.
 * @param result - Names the call by its id, or by the token that it waits for.
 * @param others - The calls of other runs that wait: one of them may wait for the same token.
 * @throws InvalidInputError unless it is for a call that waits for one, and the first for it.
 */
export function checkedResult(
  result: ExternalResult,
  conversation: StoredConversation,
  inbox: readonly InboxItem[],
  others: readonly PendingCall[],
): InboxItem {
  const { toolCallId: id, content } = result;
  if (content === undefined)
    throw new InvalidInputError(
      `The result of the call "${id}" must be JSON, but is undefined. Pass null or a text.`,
      { toolCallId: id },
    );
  const answered = new Set(inbox.flatMap((item) => ("result" in item ? [item.result.toolCallId] : [])));
  const call = calledBy(id, waitingCalls(conversation), answered, others);
  const { toolCallId } = call;
  if (answered.has(toolCallId))
    throw new InvalidInputError(`The call "${toolCallId}" has a result already.`, { toolCallId });
  if (tokenOf(call) !== undefined) assertWhole(content, `The result for "${id}"`);
  return { result: plain({ ...result, toolCallId }, "The result") };
}

/** Whether a result from elsewhere ends a call. What an agent is to answer that runs on its own, nobody else does. */
function takesResult(call: PendingCall): boolean {
  return call.approvalId === undefined && runOf(call) === undefined;
}

/** Whether a result that names a call so may be for this one: by its id, or by the token that it waits for. */
export function isNamed(call: PendingCall, id: string): boolean {
  return call.toolCallId === id || tokenOf(call) === id;
}

/** @throws InvalidInputError unless one call that waits for a result has this id, or waits for this token. */
function calledBy(
  id: string,
  waiting: readonly PendingCall[],
  answered: ReadonlySet<string>,
  others: readonly PendingCall[],
): PendingCall {
  const open = [...waiting, ...others].filter(takesResult);
  const called = open.filter((call) => isNamed(call, id));
  const unanswered = called.filter(({ toolCallId }) => !answered.has(toolCallId));
  const [first, another] = unanswered.length > 0 ? unanswered : called.slice(0, 1);
  if (first && !another) return first;
  const pending = (first ? unanswered : open).map(({ toolCallId }) => toolCallId);
  throw new InvalidInputError(
    first
      ? `${pending.length} calls wait for "${id}". Name one of them: ${pending.join(", ")}.`
      : `No call "${id}" waits for a result (waiting: ${open.map((call) => tokenOf(call) ?? call.toolCallId).join(", ") || "none"}).`,
    { toolCallId: id, pending },
  );
}

/**
 * A copy to be stored.
 * @param path - What the value is called.
 * @throws InvalidInputError for what JSON has no form for.
 */
function plain<T extends object>(value: T, path: string): T {
  const { omissions } = toStorable(value, path);
  const [omission] = omissions;
  if (omission) throw new InvalidInputError(`${omission.path} must be JSON, but is ${omission.what}.`);
  const copy: T = JSON.parse(JSON.stringify(value));
  return copy;
}

import { toStorable } from "../base/util/storable.ts";
import { InvalidInputError } from "../errors.ts";
import type { ApprovalDecision, PendingCall } from "../message/run-state.ts";
import { runOf, tokenOf } from "../message/waits.ts";
import { assertDecision } from "../run/resume/decisions.ts";
import { assertResultParts, assertWhole } from "../run/resume/external-results.ts";
import type { StoredConversation } from "../run/session/stored-conversation.ts";
import type { ExternalResult } from "../run/types.ts";
import { waitingCalls } from "./inbox.ts";
import type { InboxItem } from "./stored-run.ts";

/**
 * Checks new answers to the calls of one run, each with those before it. All that they are looked up in is made once: a person may decide on
 * thousands of calls at a time.
 */
export class AnswerChecks {
  readonly #waiting: readonly PendingCall[];
  readonly #others: readonly PendingCall[];
  /** The approvals of calls that wait. */
  readonly #approvals: ReadonlySet<string | undefined>;
  readonly #decided: Map<string, ApprovalDecision>;
  readonly #resolved: Set<string>;
  /** The calls that wait for a result. */
  readonly #unresolved: readonly PendingCall[];
  readonly #unresolvedByName: ReadonlyMap<string, readonly PendingCall[]>;

  /**
   * @param inbox - What has come before.
   * @param others - The calls of other runs that wait: one of them may wait for the same token, and an error names them, too.
   */
  constructor(conversation: StoredConversation, inbox: readonly InboxItem[], others: readonly PendingCall[]) {
    this.#waiting = waitingCalls(conversation);
    this.#others = others;
    this.#approvals = new Set(this.#waiting.map(({ approvalId }) => approvalId));
    this.#decided = new Map(conversation.decisions);
    this.#resolved = new Set();
    this.#unresolved = [...this.#waiting, ...others].filter(takesResult);
    this.#unresolvedByName = byName(this.#unresolved, (call) => call);
    for (const item of inbox)
      if ("result" in item) this.#resolved.add(item.result.toolCallId);
      else this.#addDecision(item.decision);
  }

  /**
   * A decision as it is stored.
   * @throws InvalidInputError unless it is for a call that waits, and the first for it.
   */
  decision(decision: ApprovalDecision): InboxItem {
    const { approvalId } = assertDecision(decision, "decide()");
    const earlier = this.#decided.get(approvalId);
    if (earlier)
      throw new InvalidInputError(
        `The call of the approval "${approvalId}" was ${earlier.decision === "approve" ? "approved" : "denied"} before. A decision cannot be changed.`,
        { approvalId, decision: earlier.decision },
      );
    if (!this.#approvals.has(approvalId)) throw this.#notWaiting(approvalId);
    const item = { decision: plain(decision, "The decision") };
    this.#addDecision(item.decision);
    return item;
  }

  /**
   * A result as it is stored.
   * @param result - Names the call by its id, or by the token that it waits for.
   * @throws InvalidInputError unless it is for a call that waits for one, and the first for it.
   */
  result(result: ExternalResult): InboxItem {
    const { toolCallId: id, content } = result;
    if (content === undefined)
      throw new InvalidInputError(
        `The result of the call "${id}" must be JSON, but is undefined. Pass null or a text.`,
        { toolCallId: id },
      );
    const call = this.#calledBy(id);
    const { toolCallId } = call;
    if (this.#resolved.has(toolCallId))
      throw new InvalidInputError(`The call "${toolCallId}" has a result already.`, { toolCallId });
    assertResultParts(content, `the result for "${id}"`);
    if (tokenOf(call) !== undefined) assertWhole(content, `The result for "${id}"`);
    const item = { result: plain({ ...result, toolCallId }, "The result") };
    this.#resolved.add(toolCallId);
    return item;
  }

  /** The first of two counts: nothing changes it. */
  #addDecision(decision: ApprovalDecision): void {
    const { approvalId } = decision;
    if (!this.#decided.has(approvalId)) this.#decided.set(approvalId, decision);
  }

  #notWaiting(approvalId: string): InvalidInputError {
    const open = [...this.#waiting, ...this.#others].flatMap((call) => call.approvalId ?? []);
    return new InvalidInputError(
      `No call waits for the approval "${approvalId}" (waiting: ${open.join(", ") || "none"}).`,
      { approvalId, pending: open },
    );
  }

  /** @throws InvalidInputError unless one call that waits for a result has this id, or waits for this token. */
  #calledBy(id: string): PendingCall {
    const called = this.#unresolvedByName.get(id) ?? [];
    const unanswered = called.filter(({ toolCallId }) => !this.#resolved.has(toolCallId));
    const [first, another] = unanswered.length > 0 ? unanswered : called.slice(0, 1);
    if (first && !another) return first;
    const open = this.#unresolved;
    const pending = (first ? unanswered : open).map(({ toolCallId }) => toolCallId);
    throw new InvalidInputError(
      first
        ? `${pending.length} calls wait for "${id}". Name one of them: ${pending.join(", ")}.`
        : `No call "${id}" waits for a result (waiting: ${open.map((call) => tokenOf(call) ?? call.toolCallId).join(", ") || "none"}).`,
      { toolCallId: id, pending },
    );
  }
}

/** Whether a result from elsewhere ends a call. What an agent is to answer that runs on its own, nobody else does. */
function takesResult(call: PendingCall): boolean {
  return call.approvalId === undefined && runOf(call) === undefined;
}

/**
 * What has calls, by what a result may name each of them by: its id, and the token that it waits for.
 * @param callOf - The call of an item.
 */
export function byName<T>(
  items: readonly T[],
  callOf: (item: T) => PendingCall,
): ReadonlyMap<string, readonly T[]> {
  const named = new Map<string, T[]>();
  for (const item of items) {
    const call = callOf(item);
    for (const name of new Set([call.toolCallId, tokenOf(call) ?? call.toolCallId])) {
      const same = named.get(name);
      if (same) same.push(item);
      else named.set(name, [item]);
    }
  }
  return named;
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

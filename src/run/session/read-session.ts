import { SkeinError } from "../../errors.ts";
import type { Message } from "../../message/messages.ts";
import { decidableCalls, takenResults } from "../../message/nested-work.ts";
import type { ApprovalDecision, PendingCall, RunState } from "../../message/run-state.ts";
import { unansweredCalls } from "../../message/unanswered-calls.ts";
import { noUsage } from "../../message/usage.ts";
import { describeValue } from "../../base/options/known-options.ts";
import { isPlainObject } from "../../base/util/json.ts";
import { readStoredMessage } from "../resume/input-message.ts";
import { problemOf, storedState } from "../resume/state-shape.ts";
import type { Claim } from "./claim.ts";
import { withFinishedCalls } from "./finished-calls.ts";
import type { ProcessMark } from "./process-mark.ts";
import type { StoredConversation, StoredState } from "./stored-conversation.ts";
import { orFail } from "./session-failure.ts";
import type { Session, SessionData, SessionEntry, SessionState } from "./session.ts";
import { isRange, withEarlierApprovals, withEarlierWork } from "./stored-work.ts";

/** A session as a program reads it. */
export interface SessionContents {
  /** All messages, in order: for people, not for models. */
  readonly messages: readonly Message[];
  /**
   * Where the last run stands: what is pending, and who waits for whose decision. Its messages are those that models see.
   * `undefined` for a session in which no run has begun.
   */
  readonly state: RunState | undefined;
  /** What was wrong with the store and could be mended, one sentence each. */
  readonly warnings: readonly string[];
}

/**
 * Reads a session: to show a conversation, or to see which calls wait for a decision.
 * @throws SkeinError: `session-failed` if the store fails, `session-unreadable` if it does not hold a session
 */
export async function readSession(session: Session): Promise<SessionContents> {
  const { messages, view, state, decisions, steps, warnings } = await readConversation(session);
  const resumed = state && stateOfSession(view, state);
  return { messages, state: resumed && withDecisions(resumed, decisions, steps), warnings };
}

/** A state as a run's result has it: with the calls that wait within others, and what was decided on them. */
function withDecisions(
  state: RunState,
  all: ReadonlyMap<string, ApprovalDecision>,
  steps: ReadonlyMap<string, unknown>,
): RunState {
  const { nested = [] } = state;
  const done = nested.flatMap((work) => work.steps);
  // Tools have them, in a process that died.
  const used = new Set(takenResults(done, steps));
  const isOpen = ({ approvalId, toolCallId }: PendingCall): boolean =>
    approvalId !== undefined || !used.has(toolCallId);
  const pending = decidableCalls(state.pending, nested).filter(isOpen);
  const decisions = pending.flatMap(({ approvalId = "" }) => all.get(approvalId) ?? []);
  return { ...state, pending, ...(decisions.length > 0 && { decisions }) };
}

/**
 * Reads a session with what is remembered of its last calls: the results of those that had finished are among its messages.
 * @throws SkeinError: `session-failed` if the store fails, `session-unreadable` if it does not hold a session
 */
export async function readConversation(
  session: Session,
): Promise<StoredConversation & Pick<SessionContents, "warnings">> {
  const { entries, warnings = [] } = await loadSession(session);
  return { ...withFinishedCalls(readEntries(entries)), warnings };
}

/**
 * What the store of a session has.
 * @throws SkeinError: `session-failed` if the store fails, `session-unreadable` for a value of another form
 */
export async function loadSession(session: Session): Promise<SessionData> {
  const data: SessionData | undefined = await orFail("read", () => session.load());
  if (Array.isArray(data?.entries) && Array.isArray(data.warnings ?? [])) return data;
  throw new SkeinError(
    `The session cannot be read: its function \`load\` must return { entries: [...] }, not ${describeValue(data)}.`,
    { code: "session-unreadable" },
  );
}

/** The state that a run resumes. Its `pending` are the calls of the last answer themselves. */
export function stateOfSession(view: readonly Message[], state: StoredState): RunState {
  const { type: _, approvals = [], nested = [], left = [], context, ...rest } = state;
  const approvalsById = new Map(approvals.map((approval) => [approval.toolCallId, approval]));
  const leftById = new Map(left.map((each) => [each.toolCallId, each]));
  const pending = unansweredCalls(view).map((call) => {
    const approval = approvalsById.get(call.toolCallId);
    if (!approval) return { ...call, ...leftById.get(call.toolCallId) };
    const { approvalId, input, toolCall, edited, version } = approval;
    const waiting = { ...call, ...toolCall, approvalId, input, ...(edited && { edited }) };
    return version === undefined ? waiting : { ...waiting, version };
  });
  const pendingIds = new Set(pending.map(({ toolCallId }) => toolCallId));
  const open = approvals.filter(({ toolCallId }) => pendingIds.has(toolCallId));
  const waiting = nested.filter(({ toolCallId }) => pendingIds.has(toolCallId));
  return {
    version: 1,
    ...rest,
    ...(open.length > 0 && { approvals: open }),
    ...(waiting.length > 0 && { nested: waiting }),
    usage: { ...noUsage, ...state.usage },
    context,
    pending,
    messages: view,
  };
}

/**
 * Puts a session's entries together.
 * @throws SkeinError (`session-unreadable`) naming the invalid entry.
 */
export function readEntries(entries: readonly SessionEntry[]): StoredConversation {
  const [earliest] = entries;
  // A session that was cleared begins with saying so.
  const first = earliest?.type === "clear" ? earliest.sequence : 1;
  const reading: Reading = {
    messages: [],
    view: [],
    state: undefined,
    steps: new Map(),
    decisions: new Map(),
    claim: undefined,
    last: first - 1,
    stateAt: 0,
  };
  for (const entry of entries) {
    if (!isPlainObject(entry) || entry.sequence !== reading.last + 1)
      throw unreadable(reading.last + 1, "is not there");
    applyEntry(reading, entry);
    reading.last++;
  }
  if (reading.state) assertValid(reading.state, reading.stateAt);
  return reading;
}

interface Reading {
  messages: Message[];
  view: Message[];
  state: StoredState | undefined;
  readonly steps: Map<string, unknown>;
  readonly decisions: Map<string, ApprovalDecision>;
  claim: Claim | undefined;
  last: number;
  /** The entry that has the state. */
  stateAt: number;
}

function assertValid(state: StoredState, sequence: number): void {
  const problem = problemOf(state, storedState);
  if (problem !== undefined) throw unreadable(sequence, `is invalid: ${problem.slice(1)}`);
}

function applyEntry(reading: Reading, entry: SessionEntry): void {
  switch (entry.type) {
    case "message": {
      const message = readStoredMessage(entry.message, reading.messages.length);
      reading.messages.push(message);
      reading.view.push(message);
      // What is remembered of calls is of those in the last answer.
      if (message.role === "assistant") forgetCalls(reading);
      return;
    }
    case "state": {
      if (typeof entry.agent !== "string" || typeof entry.runId !== "string")
        throw unreadable(entry.sequence, "names no agent or no run");
      const state = wholeState(reading, entry);
      // What calls have done may be long, and is looked at once, in the last of them.
      const { nested: _, ...others } = state;
      assertValid(others, entry.sequence);
      reading.stateAt = entry.sequence;
      // Steps and decisions are of one run: another one's calls may have the same ids.
      if (state.runId !== reading.state?.runId) forgetCalls(reading);
      reading.state = { context: reading.state?.context, ...state };
      return;
    }
    case "step":
      reading.steps.set(entry.key, entry.value);
      if (reading.state) reading.state = { ...reading.state, ...noticesOf(entry) };
      return;
    case "decision": {
      const { type: _, sequence: _sequence, writer: _writer, ...decision } = entry;
      if (typeof entry.approvalId !== "string") throw unreadable(entry.sequence, "names no approval");
      if (typeof (entry.reason ?? "") !== "string")
        throw unreadable(entry.sequence, "has a reason that is not a text");
      reading.decisions.set(entry.approvalId, decision);
      return;
    }
    case "claim":
      if (!Number.isFinite(entry.until)) throw unreadable(entry.sequence, "has no time");
      reading.claim = entry.until > 0 ? claimOf(entry) : undefined;
      return;
    case "compaction":
      if (!Array.isArray(entry.messages)) throw unreadable(entry.sequence, "has no messages");
      reading.view = entry.messages.flatMap((item, index) =>
        isRange(item) ? reading.view.slice(item[0], item[1]) : [readStoredMessage(item, index)],
      );
      return;
    case "clear":
      reading.messages = [];
      reading.view = [];
      reading.state = undefined;
      reading.claim = undefined;
      forgetCalls(reading);
      return;
    default:
      throw unreadable(reading.last + 1, "is of no known type; was it written by a newer version?");
  }
}

/** What the entry of a step says of its run: what was counted by then, and what blocked it. */
function noticesOf({
  calls,
  value,
}: Extract<SessionEntry, { type: "step" }>): Pick<StoredState, "calls" | "blocked"> {
  const { blocked }: Pick<StoredState, "blocked"> = Object(value);
  return { ...(calls && { calls }), ...(blocked && { blocked }) };
}

/** The state of an entry, with what that before it has of the calls that wait. */
function wholeState({ state }: Reading, entry: Extract<SessionEntry, SessionState>): StoredState {
  const { sequence, writer: _, nested, approvals, ...others } = entry;
  try {
    return {
      ...others,
      ...(approvals && { approvals: withEarlierApprovals(state?.approvals ?? [], approvals) }),
      ...(nested && { nested: withEarlierWork(state?.nested ?? [], nested) }),
    };
  } catch {
    throw unreadable(sequence, "has approvals or nested that are not lists, or refer to what is not there");
  }
}

function forgetCalls({ steps, decisions }: Reading): void {
  steps.clear();
  decisions.clear();
}

function claimOf({ writer, until, process }: Extract<SessionEntry, { type: "claim" }>): Claim {
  return { writer, until, process: isMark(process) ? process : undefined };
}

function isMark(value: unknown): value is ProcessMark {
  return (
    isPlainObject(value) &&
    typeof value["place"] === "string" &&
    typeof value["realm"] === "string" &&
    Number.isSafeInteger(value["pid"])
  );
}

function unreadable(sequence: number, problem: string): SkeinError {
  return new SkeinError(`The session cannot be read: its entry ${sequence} ${problem}.`, {
    code: "session-unreadable",
    data: { sequence },
  });
}

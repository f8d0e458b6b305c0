import { editNote } from "../../executor/approved-call.ts";
import { callsWithin, requestId } from "../../message/nested-work.ts";
import type { NestedStep, PendingCall } from "../../message/run-state.ts";
import { warn } from "../events/emit.ts";
import type { ActiveRun } from "../state/active-run.ts";
import type { DecisionUse } from "../state/run-config.ts";
import type { Decision, Decisions } from "./decisions.ts";

type StoredOutcome = Parameters<DecisionUse["addStored"]>[2];

/** What became of the decisions of one run. */
export class DecisionRecord implements DecisionUse {
  readonly #run: ActiveRun;
  readonly #decisions: Decisions;
  /** The calls that were decided on, or have a result, by what names them. */
  readonly #open: Map<string, PendingCall>;
  readonly #steps: ReadonlyMap<string, NestedStep>;

  /**
   * @param calls - The calls that wait.
   * @param results - The ids of calls with results from elsewhere.
   * @param steps - What open calls have done, by the keys of steps.
   */
  constructor(
    run: ActiveRun,
    decisions: Decisions,
    calls: readonly PendingCall[],
    results: ReadonlySet<string>,
    steps: ReadonlyMap<string, NestedStep>,
  ) {
    this.#run = run;
    this.#decisions = decisions;
    this.#steps = steps;
    const decided = calls.filter(({ approvalId, toolCallId }) =>
      approvalId === undefined ? results.has(toolCallId) : decisions.has(approvalId),
    );
    this.#open = new Map(decided.map((call) => [requestId(call), call]));
  }

  add(id: string): void {
    this.#open.delete(id);
  }

  addStored(toolCallId: string, key: string, stored: StoredOutcome): void {
    if (this.#open.size === 0) return;
    for (const call of this.#open.values())
      if (call.toolCallId === toolCallId) this.#addFinished(call, stored);
    for (const [inner, step] of this.#steps) {
      if (!inner.startsWith(`${key}/`)) continue;
      for (const call of callsWithin({ toolCallId, steps: [step] })) this.add(requestId(call));
    }
  }

  #addFinished(call: PendingCall, stored: StoredOutcome): void {
    const decision = this.#decisions.get(call.approvalId ?? "");
    if (decision && !isCarriedOut(decision, call, stored))
      this.#warn(call, decision, "has no effect: the call was finished before.");
    this.add(call.approvalId ?? "");
  }

  warnUnused(): void {
    if (this.#run.config.scope.isCancelled) return;
    for (const call of this.#open.values()) {
      const decision = call.approvalId === undefined ? undefined : this.#decisions.get(call.approvalId);
      this.#warn(
        call,
        decision,
        `was not ${decision ? "carried out" : "used"}: the call was not made again.`,
      );
    }
  }

  #warn({ toolName, toolCallId }: PendingCall, decided: Decision | undefined, problem: string): void {
    const subject = decided ? `The decision "${decided.decision}" on` : "The result of";
    warn(this.#run, `${subject} ${toolName} (call "${toolCallId}") ${problem}`);
  }
}

/** Whether the outcome of a call is what a decision leads to. */
function isCarriedOut(
  { decision, arguments: newArguments }: Decision,
  { edited }: PendingCall,
  stored: StoredOutcome,
): boolean {
  if ("waiting" in stored) return true;
  const { content, outcome } = stored.result;
  if (decision === "deny" || outcome === "denied") return decision === "deny" && outcome === "denied";
  // A final result has no note.
  if (stored.final) return true;
  const text = newArguments ?? edited?.arguments;
  const [note, ...others] = content.flatMap((part) =>
    part.type === "text" && part.text.startsWith(editNote({ arguments: "" })) ? [part.text] : [],
  );
  return others.length > 0 || note === (text === undefined ? undefined : editNote({ arguments: text }));
}

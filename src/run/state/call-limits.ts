import type { CallLimits, LimitReached, ReadyCall } from "../../executor/types.ts";
import type { PendingCall, RunState } from "../../message/run-state.ts";

/** How many calls there were, those included that are under way or wait, and how many those are. */
class Count {
  #all = 0;
  #underWay = 0;
  #waiting = 0;

  get all(): number {
    return this.#all;
  }

  /** Those that are done: what else has begun is executed again, and counts then, where its process dies before a state says that it waits. */
  get done(): number {
    return this.#all - this.#underWay - this.#waiting;
  }

  /** Those that are done or wait, for a state that says which of them wait: they go on. */
  get over(): number {
    return this.#all - this.#underWay;
  }

  begin(): void {
    this.#all++;
    this.#underWay++;
  }

  end(isWaiting: boolean): void {
    this.#underWay--;
    if (isWaiting) this.#waiting++;
  }

  /** Goes on from a count that was stored; what is counted by now is not forgotten. */
  continueFrom(earlier: number): void {
    this.#all = Math.max(this.done, earlier) + this.#underWay + this.#waiting;
  }
}

/** The calls that count for `maxToolCalls` of a run, and whether one was refused for that; nothing where it has no limit. */
export type OwnCounts = Pick<RunState, "toolCalls" | "isCallLimitReached">;

/** What the outermost run counts: the calls of tools with `maxCalls`, by their names, and its own. */
export interface StoredCounts extends OwnCounts, Pick<RunState, "calls"> {
  /** What the runs within it count, from the one that made the call outwards. */
  readonly within?: readonly OwnCounts[];
}

/**
 * Limits the calls that a run and those within it execute: `maxToolCalls` of each of them, and `maxCalls` of tools, which the outermost
 * run counts. Nothing is awaited between the check of a limit and the count, so that calls side by side do not exceed it.
 */
export class CallLimitsOfRun implements CallLimits {
  readonly isSet: boolean;
  readonly #most: number;
  readonly #outer: CallLimitsOfRun | undefined;
  readonly #calls = new Count();
  #tools: Map<string, Count> | undefined;
  #isOwnReached = false;
  #leftOpen: Set<string> | undefined;
  /** The calls of answers that were counted, by their turns: servers may begin with the same ids in each answer. */
  readonly #started = new Set<string>();

  /**
   * @param most - `maxToolCalls`.
   * @param outer - The limits of the run around it.
   */
  constructor(most: number | undefined, outer?: CallLimitsOfRun) {
    this.#most = most ?? Infinity;
    this.#outer = outer;
    this.isSet = most !== undefined || outer?.isSet === true;
  }

  /** Whether a call was refused since this run has made its calls, not one around it. */
  get isOwnReached(): boolean {
    return this.#isOwnReached;
  }

  /** Whether a call was refused since the run, or one around it, has made its calls. */
  get isReached(): boolean {
    return this.#isOwnReached || this.#outer?.isReached === true;
  }

  /** Whether a pending call needs a decision or a result from elsewhere, and was not left for the limit. */
  isWaiting({ toolCallId, approvalId, input }: PendingCall): boolean {
    return (approvalId !== undefined || input !== undefined) && !this.#leftOpen?.has(toolCallId);
  }

  /**
   * The calls of tools with `maxCalls`, by their names; `undefined` where there are none.
   * @param isStopped - Whether what waits counts: it is for a state that says so of it.
   */
  callsOfTools(isStopped: boolean): Readonly<Record<string, number>> | undefined {
    const tools = this.#outermost.#tools;
    return tools && Object.fromEntries([...tools].map(([name, count]) => [name, numberOf(count, isStopped)]));
  }

  /** Goes on from what was stored. */
  continueFrom({ calls = {}, ...own }: Omit<StoredCounts, "within">): void {
    this.#continueFromOwn(own);
    for (const [name, earlier] of Object.entries(calls)) this.#outermost.#countOf(name).continueFrom(earlier);
  }

  #continueFromOwn({ toolCalls = 0, isCallLimitReached }: OwnCounts): void {
    this.#calls.continueFrom(toolCalls);
    this.#isOwnReached ||= isCallLimitReached === true;
  }

  /** What is counted, for something that remembers steps; `undefined` where nothing is limited. */
  get counts(): StoredCounts | undefined {
    const calls = this.callsOfTools(false);
    if (!this.isSet && !calls) return undefined;
    const within = this.#within;
    const isSetWithin = within.some((limits) => limits.#most !== Infinity);
    return {
      ...(calls && { calls }),
      ...this.#outermost.ownCounts(false),
      ...(isSetWithin && { within: within.map((limits) => limits.ownCounts(false)) }),
    };
  }

  /**
   * What is counted for the limit of the run itself; nothing where it has none.
   * @param isStopped - Whether what waits counts: it is for a state that says so of it.
   */
  ownCounts(isStopped: boolean): OwnCounts {
    if (this.#most === Infinity) return {};
    const toolCalls = numberOf(this.#calls, isStopped);
    return { toolCalls, ...(this.#isOwnReached && { isCallLimitReached: true }) };
  }

  /**
   * Counts what was counted when a step of this run was remembered, which is not performed again.
   * @param isResumed - Whether the outermost run goes on with a state: its own limit begins again then. A run within is one run to its
   * caller, however often it paused.
   */
  restore({ calls, within = [], ...own }: StoredCounts, isResumed: boolean): void {
    this.#outermost.continueFrom({ ...(calls && { calls }), ...(isResumed ? {} : own) });
    for (const [index, limits] of this.#within.entries()) limits.#continueFromOwn(within[index] ?? {});
  }

  begin(ready: ReadyCall): LimitReached | undefined {
    const { call, tool, scope, depth } = ready;
    const key = `${scope.turn}/${call.toolCallId}`;
    const { maxCalls } = tool.policy;
    const ofTool = maxCalls === undefined ? undefined : this.#outermost.#countOf(ownName(ready));
    if (ofTool && maxCalls !== undefined && ofTool.all >= maxCalls)
      return { limit: "maxCalls", most: maxCalls };
    const full = this.#chain.find((limits) => limits.#calls.all >= limits.#most);
    if (full) {
      full.#isOwnReached = true;
      // A middleware may call `next` once more: the call has begun then, and does not stay pending.
      const isUnstarted = !this.#started.has(key);
      if (depth === 0 && isUnstarted) (this.#leftOpen ??= new Set()).add(call.toolCallId);
      return { limit: "maxToolCalls", most: full.#most, isUnstarted };
    }
    ofTool?.begin();
    for (const limits of this.#chain) limits.#calls.begin();
    if (depth === 0) this.#started.add(key);
    return undefined;
  }

  end(ready: ReadyCall, isWaiting: boolean): void {
    if (ready.tool.policy.maxCalls !== undefined) this.#outermost.#countOf(ownName(ready)).end(isWaiting);
    for (const limits of this.#chain) limits.#calls.end(isWaiting);
  }

  /** These limits and those around them. */
  get #chain(): readonly CallLimitsOfRun[] {
    return this.#outer ? [this, ...this.#outer.#chain] : [this];
  }

  /** These limits and those around them, without the outermost. */
  get #within(): readonly CallLimitsOfRun[] {
    return this.#outer ? [this, ...this.#outer.#within] : [];
  }

  get #outermost(): CallLimitsOfRun {
    return this.#outer ? this.#outer.#outermost : this;
  }

  #countOf(toolName: string): Count {
    const tools = (this.#tools ??= new Map());
    const count = tools.get(toolName) ?? new Count();
    tools.set(toolName, count);
    return count;
  }
}

function numberOf({ done, over }: Count, isStopped: boolean): number {
  return isStopped ? over : done;
}

/** The name that a tool has in its toolset: an agent may have it under another, such as where two toolsets have it. */
function ownName({ tool: { name }, scope: { toolTable } }: ReadyCall): string {
  return toolTable.originOf(name)?.at(-1) ?? name;
}

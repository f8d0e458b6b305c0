import type { RunEntry } from "./entry.ts";
import { Heap } from "./heap.ts";

/** The runs of one agent that wait for an owner, or for the end of the lease of the one that they have. */
interface AgentQueues {
  /** Those that are their conversations' first, and not due yet, by the times at which they are. */
  readonly later: Heap<RunEntry>;
  /** Those that may be claimed. */
  readonly ready: Heap<RunEntry>;
  /** Those that are stuck, by the builds that were stuck on them: each other build may have them. */
  readonly stuck: Map<string | undefined, Heap<RunEntry>>;
  /** All that are due at some time, also those behind another one of their conversation, by that time, or that of their last change. */
  readonly timed: Heap<RunEntry>;
}

/** What waits for an owner, in the order in which it is to be claimed. No function looks at all runs. */
export class Queues {
  readonly #agents = new Map<string, AgentQueues>();

  /** Adds a run that has not ended, as it is now. */
  add(entry: RunEntry): void {
    const { run, conversation } = entry;
    const isFirst = conversation.open.first === entry;
    if (run.due === undefined && !(isFirst && run.status === "stuck")) return;
    const queues = this.#queuesOf(run.agent);
    if (run.due !== undefined) queues.timed.add(entry);
    if (!isFirst) return;
    if (run.due !== undefined) (run.due <= Date.now() ? queues.ready : queues.later).add(entry);
    if (run.status === "stuck") stuckOn(queues, run.build).add(entry);
  }

  /** Takes a run out, before it changes. */
  delete(entry: RunEntry): void {
    const { agent, build } = entry.run;
    const queues = this.#agents.get(agent);
    if (!queues) return;
    queues.timed.delete(entry);
    queues.later.delete(entry);
    queues.ready.delete(entry);
    queues.stuck.get(build)?.delete(entry);
    if (queues.stuck.get(build)?.size === 0) queues.stuck.delete(build);
    if (queues.timed.size === 0 && queues.stuck.size === 0) this.#agents.delete(agent);
  }

  /** Takes out the run that is to be claimed next by a build which has these agents. */
  take(agents: readonly string[], build: string, now: number): RunEntry | undefined {
    let next: RunEntry | undefined;
    for (const agent of agents) {
      const queues = this.#agents.get(agent);
      if (!queues) continue;
      promote(queues, now);
      next = earlier(next, queues.ready.first);
      for (const [stuckBuild, stuck] of queues.stuck)
        if (stuckBuild !== build) next = earlier(next, stuck.first);
    }
    if (next) this.delete(next);
    return next;
  }

  /** Takes out the runs that were due at a time or before, of agents that are not among these. */
  takeStranded(agents: readonly string[], until: number): readonly RunEntry[] {
    const stranded: RunEntry[] = [];
    for (const [agent, { timed }] of this.#agents) {
      if (agents.includes(agent)) continue;
      for (let entry = timed.first; entry && lastTimeOf(entry) < until; entry = timed.first) {
        stranded.push(entry);
        this.delete(entry);
      }
    }
    return stranded;
  }

  #queuesOf(agent: string): AgentQueues {
    const queues = this.#agents.get(agent) ?? {
      later: new Heap<RunEntry>(isDueBefore),
      ready: new Heap<RunEntry>(isClaimedBefore),
      stuck: new Map(),
      timed: new Heap<RunEntry>(isTimedBefore),
    };
    this.#agents.set(agent, queues);
    return queues;
  }
}

/** Whether a run may be claimed, though it is not looked for in the queues. */
export function isClaimable({ run, ...entry }: RunEntry, build: string, now: number): boolean {
  const { first } = entry.conversation.open;
  if (first?.number !== entry.number) return false;
  return (run.due ?? Number.POSITIVE_INFINITY) <= now || (run.status === "stuck" && run.build !== build);
}

/** Whether a run is claimed before another: that of the higher priority, then the older one. */
export function isClaimedBefore(one: RunEntry, other: RunEntry): boolean {
  const difference = one.run.priority - other.run.priority;
  return difference > 0 || (difference === 0 && one.number < other.number);
}

function earlier(one: RunEntry | undefined, other: RunEntry | undefined): RunEntry | undefined {
  return !one || (other && isClaimedBefore(other, one)) ? other : one;
}

function promote({ later, ready }: AgentQueues, now: number): void {
  for (let entry = later.first; entry && timeOf(entry) <= now; entry = later.first) {
    later.delete(entry);
    ready.add(entry);
  }
}

function stuckOn({ stuck }: AgentQueues, build: string | undefined): Heap<RunEntry> {
  const heap = stuck.get(build) ?? new Heap(isClaimedBefore);
  stuck.set(build, heap);
  return heap;
}

function isDueBefore(one: RunEntry, other: RunEntry): boolean {
  const difference = timeOf(one) - timeOf(other);
  return difference < 0 || (difference === 0 && one.number < other.number);
}

function isTimedBefore(one: RunEntry, other: RunEntry): boolean {
  const difference = lastTimeOf(one) - lastTimeOf(other);
  return difference < 0 || (difference === 0 && one.number < other.number);
}

/** What is due at once has no time of its own. */
function lastTimeOf(entry: RunEntry): number {
  return Math.max(timeOf(entry), entry.run.updatedAt);
}

function timeOf({ run: { due = Number.POSITIVE_INFINITY } }: RunEntry): number {
  return due;
}

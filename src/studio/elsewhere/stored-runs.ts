import { printFailure } from "../../base/util/callbacks.ts";
import { runs as durableRuns } from "../../durable/runs.ts";
import { logOf } from "../../durable/log-session.ts";
import type { DurableStore } from "../../durable/store.ts";
import type { DurableStatus } from "../../durable/stored-run.ts";
import type { DurableState, RunHandle, RunInfo, Runs } from "../../durable/types.ts";
import type { Message, Usage } from "../../message/messages.ts";
import type { SessionEntry } from "../../run/session/session.ts";
import type { RecordedStatus } from "../records.ts";
import type { RunRing } from "../ring.ts";
import { RunRecord } from "../run-record.ts";
import { textOfUser } from "../user-text.ts";
import { addAnswer, addCall } from "./build-run.ts";

/** How often a store is looked at, in milliseconds. */
const pace = 1_000;
/** How many runs of a store are shown: those that were started last. */
const most = 500;

const statuses: Readonly<Record<DurableStatus, RecordedStatus>> = {
  queued: "running",
  running: "running",
  paused: "paused",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled",
  stuck: "failed",
};

/** The durable runs of a store, as they are there: other processes execute them. */
export class StoredRuns {
  readonly #store: DurableStore;
  readonly #runs: Runs;
  readonly #ring: RunRing;
  /** When each run that is shown was changed last. */
  readonly #revisions = new Map<string, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(store: DurableStore, ring: RunRing) {
    this.#store = store;
    this.#ring = ring;
    this.#runs = durableRuns({ agents: [], store, onError: (error) => printFailure("the store", error) });
  }

  /** Reads the runs, and from then on those that change. */
  async open(): Promise<void> {
    await this.#read();
    this.#readLater();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#runs.close({ drain: 0 });
  }

  /** The run with an id, to decide on its calls. */
  get(id: string): RunHandle {
    return this.#runs.get(id);
  }

  #readLater(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#read()
        .catch((error: unknown) => printFailure("the store", error))
        .finally(() => this.#readLater());
    }, pace);
    this.#timer.unref();
  }

  async #read(): Promise<void> {
    const listed = await this.#runs.list({ limit: most });
    for (const info of listed.toReversed()) {
      const time = info.updatedAt.getTime();
      if (this.#isClosed || this.#revisions.get(info.id) === time) continue;
      this.#revisions.set(info.id, time);
      const record = await this.#recordOf(info);
      // Pages read a run again once its revision is another one.
      record.revision = time;
      this.#ring.add(record);
    }
  }

  async #recordOf(info: RunInfo): Promise<RunRecord> {
    const [state, entries] = await Promise.all([
      this.#runs.get(info.id).state(),
      this.#store.load(logOf(info.id, info.session)),
    ]);
    return buildRecord(state, entries);
  }
}

/** A run of a store as a record. The store has no times of its steps: they are those of the run. */
function buildRecord(state: DurableState, entries: readonly SessionEntry[]): RunRecord {
  const { id, session, agent, createdAt, updatedAt, status, input, pending } = state;
  const record = new RunRecord(id, session, agent, createdAt.getTime());
  record.source = "store";
  record.status = statuses[status];
  record.error =
    state.error?.message ?? (state.missing === undefined ? undefined : `It waits for ${state.missing}.`);
  record.question = input.map((message) => (message.role === "user" ? textOfUser(message) : "")).join("\n");
  const at = updatedAt.getTime();
  addTurns(record, entries);
  if (record.status !== "running") record.endedAt = at;
  if (status === "paused") {
    for (const step of record.steps)
      if (step.kind === "tool" && pending.some(({ toolCallId }) => toolCallId === step.toolCallId))
        if (step.outcome === undefined) step.waits = true;
    record.add({
      kind: "wait",
      agent: record.steps.at(-1)?.agent ?? agent,
      turn: 0,
      start: at,
      calls: pending.map(({ toolCallId, toolName, approvalId }) => ({
        toolCallId,
        toolName,
        ...(approvalId !== undefined && { approvalId }),
      })),
    });
  }
  return record;
}

/** Adds the turns of a run: what its processes have written into the conversation. */
function addTurns(record: RunRecord, entries: readonly SessionEntry[]): void {
  const own = new Set(
    entries.flatMap((entry) => (entry.type === "state" && entry.runId === record.id ? [entry.writer] : [])),
  );
  const all = entries.flatMap((entry) => (entry.type === "message" ? [entry.message] : []));
  const history: Message[] = [];
  let before: Usage | undefined;
  let isUnpaid: ((usage: Usage) => void) | undefined;
  for (const entry of entries) {
    if (entry.type === "message") {
      const { message } = entry;
      if (message.role === "assistant" && own.has(entry.writer)) {
        const at = record.startedAt;
        const step = addAnswer(record, {
          agent: message.agent ?? record.agent,
          provider: "",
          modelId: "model",
          messages: [...history],
          message,
          start: at,
          end: at,
        });
        isUnpaid = (usage) => (step.usage = usage);
        for (const call of message.toolCalls) addCall(record, step, call, all, at);
      }
      history.push(message);
    } else if (entry.type === "state" && entry.runId === record.id) {
      // What all answers so far have used, less what those before have.
      if (isUnpaid) {
        isUnpaid(difference(entry.usage, before));
        before = entry.usage;
      }
      isUnpaid = undefined;
    }
  }
}

function difference(usage: Usage, before: Usage | undefined): Usage {
  const less = (now: number | undefined, then: number | undefined): number | undefined =>
    now === undefined ? undefined : Math.max(0, now - (then ?? 0));
  const cached = less(usage.cachedInputTokens, before?.cachedInputTokens);
  return {
    inputTokens: less(usage.inputTokens, before?.inputTokens),
    outputTokens: less(usage.outputTokens, before?.outputTokens),
    totalTokens: less(usage.totalTokens, before?.totalTokens),
    ...(cached !== undefined && { cachedInputTokens: cached }),
  };
}

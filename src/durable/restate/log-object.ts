import type { ObjectContext } from "@restatedev/restate-sdk";
import { changedRun, claimedRun, hasEnded } from "../changed-run.ts";
import type { SessionEntry } from "../../run/session/session.ts";
import { SessionConflictError } from "../../sessions/errors.ts";
import { appendEntries, readHead } from "./log-entries.ts";
import { writeEvents } from "./log-events.ts";
import { LogRuns, lookAgain, type LogSettings, type PruneRequest } from "./log-runs.ts";
import {
  emptyHead,
  keys,
  type LogAnswers,
  type LogHead,
  type LogRequests,
  newRecord,
  type RunRecord,
  storedRunOf,
} from "./log-state.ts";

/** How many groups of events are deleted at once. */
const mostGroups = 500;

/**
 * What changes a conversation and its runs: one change after another, each as a whole. Nothing here may depend on a clock or on chance,
 * since Restate has a handler repeated whose process dies.
 */
export class LogObject {
  readonly #context: ObjectContext;
  readonly #runs: LogRuns;

  constructor(context: ObjectContext, settings: LogSettings) {
    this.#context = context;
    this.#runs = new LogRuns(context, settings);
  }

  /** Adds a run to the log that it names, unless its id is taken: the own log of the id knows. */
  async create(request: LogRequests["create"]): Promise<LogAnswers["create"]> {
    const { key } = this.#context;
    const log = (await this.#context.get<string>(keys.log)) ?? request.run.log;
    this.#context.set(keys.log, log);
    if (log === key) return this.add(request);
    return this.#runs.addTo(log, request);
  }

  /** Adds a run to this log. */
  async add({ run, now }: LogRequests["create"]): Promise<LogAnswers["create"]> {
    const stored = await this.#runs.read(run.id);
    if (stored) return { run: storedRunOf(stored), isNew: false };
    const head = await readHead(this.#context);
    const number = head.runs + 1;
    const record = newRecord(run, this.#context.key, number, now);
    this.#context.set(keys.head, { ...head, runs: number, lane: [...head.lane, { id: run.id, number }] });
    this.#runs.store(this.#runs.scheduled(record, now));
    return { run: storedRunOf(record), isNew: true };
  }

  /** Gives a run to an owner if it is due. One that runs is taken from its owner: Restate has given that up. */
  async claim({ id, owner, build, now, ticket }: LogRequests["claim"]): Promise<LogAnswers["claim"]> {
    const record = await this.#runs.read(id);
    if (!record || hasEnded(record) || (ticket ?? record.ticket) !== record.ticket) return {};
    const [first] = (await readHead(this.#context)).lane;
    // The end of the one before has this one executed.
    if (first?.id !== id) return {};
    const due = dueFor(record, build, now);
    if (due === undefined) return {};
    if (due > now) {
      this.#runs.store(this.#runs.scheduled(record, now));
      return {};
    }
    const claimed = claimedRun(record, { owner, build, due: undefined }, now);
    this.#runs.store(claimed);
    return { run: storedRunOf(claimed) };
  }

  /** Adds entries and events of a run, and changes it, if the owner still has it. */
  async commit({ id, owner, write, now }: LogRequests["commit"]): Promise<LogAnswers["commit"]> {
    const { entries = [], events, revision, change } = write;
    // Both are requested before the first is waited for, which is one way to Restate and back. Waiting is one after the other, as ever.
    const reading = this.#runs.read(id);
    const readingHead = entries.length > 0 ? this.#context.get<LogHead>(keys.head) : undefined;
    const record = await reading;
    const head = readingHead && ((await readingHead) ?? emptyHead);
    if (record?.owner !== owner) return { refused: "lease-lost" };
    if (revision !== undefined && record.revision !== revision) return { isWritten: false };
    const refusal = head && (await this.#append(head, entries));
    if (refusal) return refusal;
    let after = record;
    if (events) after = { ...(await writeEvents(this.#context, after, events)), updatedAt: now };
    if (change) after = changedRun(after, change, now);
    await this.#runs.change(record, after, change, now);
    return { isWritten: true };
  }

  /** Changes a run that has a revision. */
  async update({ id, revision, change, now }: LogRequests["update"]): Promise<LogAnswers["update"]> {
    const record = await this.#runs.read(id);
    if (record?.revision !== revision) return {};
    let after = changedRun(record, change, now);
    if (change.events) after = await writeEvents(this.#context, after, change.events);
    await this.#runs.change(record, after, change, now);
    return { run: storedRunOf(after) };
  }

  /** Deletes events of a run that has ended. */
  async prune(request: PruneRequest): Promise<void> {
    const record = await this.#runs.read(request.id);
    if (!record || record.revision !== request.revision || !hasEnded(record)) return;
    const { id, nextGroup } = record;
    const end = Math.min(nextGroup, record.firstGroup + mostGroups);
    for (let group = record.firstGroup; group < end; group++) this.#context.clear(keys.group(id, group));
    this.#runs.store({ ...record, firstGroup: end });
    if (end < nextGroup) this.#runs.prune(request, 0);
  }

  async #append(head: LogHead, entries: readonly SessionEntry[]): Promise<LogAnswers["commit"] | undefined> {
    try {
      this.#context.set(keys.head, await appendEntries(this.#context, head, entries));
      return undefined;
    } catch (error) {
      if (!(error instanceof SessionConflictError)) throw error;
      const first = entries[0]?.sequence ?? 0;
      const isAhead = first > head.last + 1;
      return {
        refused: "session-conflict",
        sequence: isAhead ? head.last + 1 : first,
        cause: isAhead ? "shortened" : "changed",
      };
    }
  }
}

/** From when on a build may have a run; `undefined` if the run waits for something else. */
function dueFor(
  { status, build: stuckBuild, due }: RunRecord,
  build: string,
  now: number,
): number | undefined {
  if (status === "running") return now;
  if (status === "stuck") return stuckBuild === build ? now + lookAgain : now;
  return due;
}

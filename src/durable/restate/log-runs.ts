import type { ObjectContext } from "@restatedev/restate-sdk";
import { hasEnded } from "../changed-run.ts";
import type { RunChange } from "../store.ts";
import { json } from "./json.ts";
import { readHead } from "./log-entries.ts";
import {
  type ExecuteRequest,
  keys,
  type LogAnswers,
  type LogHead,
  type LogRequests,
  type RunRecord,
} from "./log-state.ts";

/** After how many milliseconds a run that is stuck is looked at again: another build may execute it by then. */
export const lookAgain = 30_000;

/** What all logs have in common. */
export interface LogSettings {
  /** The names of the objects. */
  readonly log: string;
  readonly run: string;
  /** How long events are kept after the end of their run, in milliseconds. */
  readonly keepEvents: number;
}

/** What is asked of a log to delete the events of a run, unless it has gone on. */
export interface PruneRequest {
  readonly id: string;
  readonly revision: number;
}

/** The runs of a log, and what Restate is to do for them. */
export class LogRuns {
  readonly #context: ObjectContext;
  readonly #settings: LogSettings;

  constructor(context: ObjectContext, settings: LogSettings) {
    this.#context = context;
    this.#settings = settings;
  }

  /** Stores a run that has changed, and has executed what is due by that. */
  async change(
    before: RunRecord,
    after: RunRecord,
    change: RunChange | undefined,
    now: number,
  ): Promise<void> {
    const isToLook = change?.due !== undefined || change?.status === "stuck";
    this.store(isToLook ? this.scheduled(after, now) : after);
    if (hasEnded(before) === hasEnded(after)) return;
    const head = await readHead(this.#context);
    if (hasEnded(after)) await this.#leaveLane(head, after, now);
    else
      this.#setLane(
        head,
        [...head.lane, after].toSorted((left, right) => left.number - right.number),
      );
  }

  async #leaveLane(head: LogHead, { id, revision }: RunRecord, now: number): Promise<void> {
    const lane = head.lane.filter((entry) => entry.id !== id);
    this.#setLane(head, lane);
    const { keepEvents } = this.#settings;
    if (Number.isFinite(keepEvents)) this.prune({ id, revision }, keepEvents);
    const [next] = lane;
    const record = next && next.id !== head.lane[0]?.id && (await this.read(next.id));
    if (record && record.status !== "running") this.store(this.scheduled(record, now));
  }

  #setLane(head: LogHead, lane: LogHead["lane"]): void {
    this.#context.set(keys.head, { ...head, lane: lane.map(({ id, number }) => ({ id, number })) });
  }

  /** Has a run executed when it is due. What was requested before is void. */
  scheduled(record: RunRecord, now: number): RunRecord {
    const { id, status, due } = record;
    const ticket = record.ticket + 1;
    const at = status === "stuck" ? now + lookAgain : due;
    const request: ExecuteRequest = { log: this.#context.key, ticket };
    if (at !== undefined && !hasEnded(record))
      this.#send(this.#settings.run, "execute", id, request, Math.max(0, at - now));
    return { ...record, ticket };
  }

  #send(service: string, method: string, key: string, parameter: object, delay: number): void {
    const target = { service, method, key, parameter, inputSerde: json<object>() };
    this.#context.genericSend({ ...target, delay: Math.ceil(delay) });
  }

  read(id: string): Promise<RunRecord | null> {
    return this.#context.get<RunRecord>(keys.run(id));
  }

  store(record: RunRecord): void {
    this.#context.set(keys.run(record.id), record);
  }

  /** Has the log delete events of a run that has ended, after some milliseconds. */
  prune(request: PruneRequest, delay: number): void {
    this.#send(this.#settings.log, "prune", this.#context.key, request, delay);
  }

  /** Has another log add a run, and returns what it answers. */
  addTo(log: string, parameter: LogRequests["create"]): Promise<LogAnswers["create"]> {
    return this.#context.genericCall({
      service: this.#settings.log,
      method: "add",
      key: log,
      parameter,
      inputSerde: json<LogRequests["create"]>(),
      outputSerde: json<LogAnswers["create"]>(),
    });
  }
}

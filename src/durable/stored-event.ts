import type { RunStatus } from "../message/run-state.ts";
import type { RunEvent } from "../run/types.ts";
import type { DurableReport, StoredError } from "./stored-run.ts";

/** An event of a durable run, as plain JSON. Its `index` counts on over all processes that had the run, and may skip numbers. */
export type StoredEvent =
  | Exclude<RunEvent, { readonly type: "run-end" }>
  /** The run has stopped: it paused, ended or failed. A run that goes on later has more events after it. */
  | {
      readonly type: "run-end";
      readonly index: number;
      readonly agent: string;
      readonly status: RunStatus | "failed" | "stuck";
      readonly result?: DurableReport;
      readonly error?: StoredError;
    }
  /**
   * A process has died, and another does the model call of this turn once more: forget the events from index `from` on. Later readers
   * do not receive those.
   */
  | {
      readonly type: "turn-restart";
      readonly index: number;
      readonly agent: string;
      readonly turn: number;
      readonly from: number;
    };

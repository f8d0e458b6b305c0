import type { AnyAgent } from "../agent/agent.ts";
import type { RunOptions } from "../run/types.ts";
import type { EventRecorder } from "./event-recorder.ts";
import type { RunWriter } from "./run-writer.ts";
import type { DurableStore } from "./store.ts";
import type { StoredRun } from "./stored-run.ts";

/** What every run of a program is executed with. */
export interface ExecutionContext {
  readonly store: DurableStore;
  readonly owner: string;
  readonly build: string;
  readonly agents: ReadonlyMap<string, AnyAgent>;
  readonly options: RunOptions;
  /** After how many milliseconds a call that nobody has decided on is denied. */
  readonly approvalTimeout: number | undefined;
  /** Reports a problem that no caller waits for. */
  readonly report: (error: unknown, id: string) => void;
}

/** One run that this process executes. */
export interface Execution {
  readonly claimed: StoredRun;
  readonly context: ExecutionContext;
  readonly writer: RunWriter;
  readonly events: EventRecorder;
  /** Aborted if the run is to end, or is not this process's any more: then the reason is a LeaseLostError. */
  readonly signal: AbortSignal;
  /** Makes sure that the run is this process's still, where that is in doubt; else the signal is aborted. */
  readonly hold: () => Promise<void> | undefined;
}

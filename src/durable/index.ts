export type { Spent } from "../run/budget.ts";
export type { CallerTool } from "../run/caller-tools.ts";
export { DurableRunError, LeaseLostError } from "./errors.ts";
export { memoryStore, type MemoryStoreOptions } from "./memory/memory-store.ts";
export { runs } from "./runs.ts";
export { sqliteStore } from "./sqlite/sqlite-store.ts";
export type {
  ChangeListener,
  ClaimRequest,
  CreatedRun,
  DurableStore,
  EventGroup,
  EventWrite,
  Lease,
  LeasedRun,
  NewRun,
  RunChange,
  RunFilter,
  RunUpdate,
  RunWrite,
  WatchScope,
} from "./store.ts";
export type { StoredEvent } from "./stored-event.ts";
export type {
  AwaitedCall,
  DurableReport,
  DurableStatus,
  EventProgress,
  InboxItem,
  Outbox,
  Receipt,
  RunData,
  RunRequest,
  RunUsage,
  ShownCalls,
  StoredError,
  StoredRun,
} from "./stored-run.ts";
export type {
  DurableResult,
  DurableRunOptions,
  DurableState,
  EventsOptions,
  ListOptions,
  ResultOptions,
  RunAnswers,
  RunHandle,
  RunInfo,
  Runs,
  RunsOptions,
  RunWait,
  StartRunOptions,
  WorkOptions,
} from "./types.ts";

import type { StepKey } from "../../message/step-key.ts";
import type { AgentLike } from "../../tool/agent-like.ts";
import type { StepMiddleware } from "../../tool/step-middleware.ts";
import type { RunResult } from "../result-types.ts";

/** The run that a middleware stands around. */
export interface RunInfo {
  readonly runId: string;
  /** The agent that the run starts with. */
  readonly agent: AgentLike;
  /** The application's data, frozen. */
  readonly context: unknown;
  /** Aborted when the run is cancelled. */
  readonly signal: AbortSignal;
  /** The step that is this run, where the tool of another run started it. */
  readonly parent: StepKey | undefined;
}

/** Functions around runs and their steps, the runs of agents within them included. */
export interface Middleware extends StepMiddleware {
  /** Around a whole run. What it throws is what the run fails with. */
  run?(info: RunInfo, next: () => Promise<RunResult>): Promise<RunResult>;
  /**
   * Remembers steps: gives what came of the step with this key before, or else calls `next` and keeps that. Values are plain
   * JSON. Stands around the other functions of all middlewares; what it throws is what the run fails with.
   */
  step?<T>(key: StepKey, next: () => Promise<T>): Promise<T>;
}

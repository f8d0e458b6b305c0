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
  /** The `id` of the run's session, or of that of the run around it. */
  readonly conversation: string | undefined;
  /** Texts that its state has, and the run that goes on from that. */
  readonly notes: RunNotes;
}

/** What middlewares keep with a run, by names of their own: 16 texts at most, of 1,000 characters each. */
export interface RunNotes {
  /** The text of that name; `undefined` if there is none. */
  get(name: string): string | undefined;
  /**
   * @param name - Lower-case letters, digits, dots and hyphens, such as `"traceparent"`.
   * @throws ConfigurationError (`invalid-middleware`) for too much.
   */
  set(name: string, text: string): void;
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

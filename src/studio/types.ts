import type { AnyAgent } from "../agent/agent.ts";
import type { DurableRunOptions } from "../durable/types.ts";

/** How to open a studio. */
export interface StudioOptions {
  /** The agents to chat with. Those that they hand off to need not be listed. */
  readonly agents: readonly AnyAgent[];
  /** `4747` by default, `0` for a free one. It listens at `127.0.0.1` only. */
  readonly port?: number;
  /** How many runs are remembered; 500 by default. */
  readonly keepRuns?: number;
  /** How many bytes of memory they may take, about; 67,108,864 by default. */
  readonly keepBytes?: number;
  /** What the runs of its chat are executed with: `model`, `maxTurns`, `middleware` and the like. */
  readonly runOptions?: DurableRunOptions;
  /** Opens it though `NODE_ENV` is `"production"`: who reaches the page may run the agents, and read all that they do. */
  readonly allowProduction?: boolean;
}

/** A studio that is open. `await using` closes it. */
export interface Studio extends AsyncDisposable {
  /** The address to open, with the token that the page needs. */
  readonly url: string;
  readonly port: number;
  /** Closes the page, and forgets what was recorded. Runs of the program go on, and are not recorded any more. */
  close(): Promise<void>;
}

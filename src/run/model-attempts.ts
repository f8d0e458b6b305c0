import { withoutSecrets } from "../model/secrets.ts";
import type { OnRetry } from "../model/stream-model.ts";
import { emit, type ActiveRun } from "./active-run.ts";

/** Counts how often one model call asks its model, and reports each attempt that failed. */
export class ModelAttempts {
  readonly #run: ActiveRun;
  /** The number of the attempt under way, counted from 1. */
  count = 1;

  constructor(run: ActiveRun) {
    this.#run = run;
  }

  readonly onRetry: OnRetry = (error, attempt, delayMs) => {
    const { turn, agent } = this.#run;
    this.count = attempt + 1;
    emit(this.#run, {
      type: "retry",
      turn,
      agent: agent.name,
      attempt,
      delayMs,
      error: withoutSecrets(error),
    });
  };
}

import { SkeinError } from "../errors.ts";

/** Another process has the run: this one was given up for dead, and nothing that it does any more is stored. */
export class LeaseLostError extends SkeinError {
  static override readonly name: string = "LeaseLostError";

  /** @param id - The run. */
  constructor(id: string) {
    super(
      `The run "${id}" is another process's by now: this one did not renew its lease in time, and stores nothing more of it.`,
      { code: "lease-lost", data: { id } },
    );
  }
}

/** A run was not there, or not as something that was asked of it needs. */
export class DurableRunError extends SkeinError {
  static override readonly name: string = "DurableRunError";

  /** @param code - What was wrong. */
  constructor(
    message: string,
    code: "run-not-found" | "run-exists" | "run-ended" | "run-timeout" | "store-failed",
    details: { readonly id?: string; readonly cause?: unknown } = {},
  ) {
    const { id, cause } = details;
    super(message, {
      code,
      ...(id !== undefined && { data: { id } }),
      ...(cause !== undefined && { cause }),
    });
  }
}

/** The error for a run whose conversation a later one has gone on with. */
export function overtaken(id: string): DurableRunError {
  return new DurableRunError(
    `The run "${id}" cannot go on: another run has gone on in its conversation. Start a new one there.`,
    "run-ended",
    { id },
  );
}

/** The error for a run that a store does not have. */
export function notFound(id: string): DurableRunError {
  return new DurableRunError(`The store does not have the run "${id}".`, "run-not-found", { id });
}

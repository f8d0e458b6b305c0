import { SkeinError } from "../../../errors.ts";
import type { Ticket } from "./ticket.ts";

/** How many batches a process counts the abandoned requests of. */
const mostBatches = 1_000;

type RequestOfTicket = Pick<Ticket, "batch" | "customId" | "size">;

/** The requests of batches that nobody waits for any more: a batch that has no others can be cancelled. */
export class AbandonedRequests {
  readonly #idsOf = new Map<string, Set<string>>();

  /** @returns the id of the batch, where this was the last of its requests. */
  add({ batch, customId, size }: RequestOfTicket): string | undefined {
    if (batch === undefined) return undefined;
    const ids = this.#idsOf.get(batch) ?? new Set();
    // More than one place may notice that a request is cancelled.
    if (ids.has(customId)) return undefined;
    ids.add(customId);
    this.#idsOf.set(batch, ids);
    const [oldest] = this.#idsOf.keys();
    if (this.#idsOf.size > mostBatches && oldest !== undefined) this.#idsOf.delete(oldest);
    return ids.size >= size ? batch : undefined;
  }

  /** A request is waited for again. */
  remove({ batch, customId }: RequestOfTicket): void {
    if (batch !== undefined) this.#idsOf.get(batch)?.delete(customId);
  }
}

/** Whether a signal says that nobody wants the answer: a run that another process goes on with is still to have it. */
export function isUnwanted(signal: AbortSignal | undefined): boolean {
  if (!signal?.aborted) return false;
  const reason: unknown = signal.reason;
  return !(reason instanceof SkeinError && reason.code === "lease-lost");
}

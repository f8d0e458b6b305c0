import type { Model } from "../../../model/types.ts";
import { wrapFetchOf } from "../../../model/wire-seam.ts";
import { apiAt } from "./batched-fetch.ts";
import type { BatchScope } from "./batched-request.ts";
import { readTicket } from "./ticket.ts";
import type { BatchApi } from "./types.ts";

/** Gives up the request that a note names, and cancels its batch once that has no other. */
export async function abandonBatch(scope: BatchScope, model: Model, note: string): Promise<void> {
  const ticket = readTicket(note, scope.model);
  const batch = ticket && scope.abandoned.add(ticket);
  if (batch !== undefined) await (await apiOf(scope, model))?.cancel(batch);
}

/** The batch API of a model, which says with a request where that goes: this one is not sent. */
async function apiOf(scope: BatchScope, model: Model): Promise<BatchApi | undefined> {
  let api: BatchApi | undefined;
  const unsent = wrapFetchOf(model, (fetch) => async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    api = apiAt(scope, url, new Headers(init?.headers), fetch);
    throw new TypeError("not sent");
  });
  const events = unsent?.stream({ messages: [{ role: "user", content: "-" }] })[Symbol.asyncIterator]();
  await events?.next().catch(() => undefined);
  return api;
}

import { isPlainObject } from "../../../base/util/json.ts";
import type { Model } from "../../../model/types.ts";
import type { LostBatch } from "./types.ts";

/** What a request waits for: the batch that has it, or one that may have been submitted. */
export interface Ticket extends LostBatch {
  /** The name of the model that submitted it. */
  readonly model: string;
  /** The id of the batch; left out while it may not be there. */
  readonly batch?: string;
  /** How often the request was submitted, this time included. */
  readonly tries: number;
}

/** A ticket as a note of a run. */
export function printTicket(ticket: Ticket): string {
  return JSON.stringify(ticket);
}

/** The ticket in a note; `undefined` if it is none, or that of another model. */
export function readTicket(
  note: string | undefined,
  { provider, modelId }: Pick<Model, "provider" | "modelId">,
): Ticket | undefined {
  const value: unknown = note === undefined ? undefined : parsed(note);
  if (!isPlainObject(value)) return undefined;
  const { model, group, customId, size, since, tries, batch } = value;
  if (model !== `${provider}:${modelId}`) return undefined;
  if (typeof group !== "string" || typeof customId !== "string") return undefined;
  if (typeof size !== "number" || typeof since !== "number" || typeof tries !== "number") return undefined;
  return { model, group, customId, size, since, tries, ...(typeof batch === "string" && { batch }) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { defineOwn } from "../base/util/snapshot.ts";
import { toStorable } from "../base/util/storable.ts";

/** A change of a context. */
export interface ContextChange {
  /** The new values. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** The names of those that JSON leaves out, such as `undefined`: a reader would go on with the old values. */
  readonly cleared?: readonly string[];
}

/** What has to be stored beside a change so that no reader goes on with an old value. */
export function clearedIn(context: object | undefined): Pick<ContextChange, "cleared"> {
  const stored: object = Object(toStorable(context, "context").value);
  const cleared = Object.keys(context ?? {}).filter((key) => !Object.hasOwn(stored, key));
  return cleared.length > 0 ? { cleared } : {};
}

/** A change as it was before it was stored; `undefined` if it changes nothing. */
export function changeOf({ context, cleared = [] }: ContextChange): ContextChange["context"] {
  if (cleared.length === 0) return context;
  const change = { ...context };
  for (const key of cleared) if (!Object.hasOwn(change, key)) defineOwn(change, key, undefined);
  return change;
}

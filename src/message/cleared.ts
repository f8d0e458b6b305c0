import { defineOwn } from "../base/util/snapshot.ts";

/** A change of a context. */
export interface ContextChange {
  /** The new values. */
  readonly context?: Readonly<Record<string, unknown>>;
  /** The names of those that are `undefined`: JSON leaves them out, and a reader would go on with the old values. */
  readonly cleared?: readonly string[];
}

/** What has to be stored beside a change so that it can be read again. */
export function clearedIn(context: object | undefined): Pick<ContextChange, "cleared"> {
  const cleared = Object.entries(context ?? {}).flatMap(([key, value]) => (value === undefined ? [key] : []));
  return cleared.length > 0 ? { cleared } : {};
}

/** A change as it was before it was stored; `undefined` if it changes nothing. */
export function changeOf({ context, cleared = [] }: ContextChange): ContextChange["context"] {
  if (cleared.length === 0) return context;
  const change = { ...context };
  for (const key of cleared) defineOwn(change, key, undefined);
  return change;
}

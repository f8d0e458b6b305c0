import type { ClaimRequest, DurableStore, NewRun } from "../../../durable/store.ts";
import type { StoredRun } from "../../../durable/stored-run.ts";
import type { SessionEntry } from "../../../run/session/session.ts";

/** A store that is checked: as two programs have it. */
export interface StoreSubject {
  readonly store: DurableStore;
  readonly other: DurableStore;
  /** What all names of this check begin with. */
  readonly prefix: string;
}

/** A run for a check, which an agent of that check's own has. */
export function newRun({ prefix }: StoreSubject, name: string, others: Partial<NewRun> = {}): NewRun {
  const id = `${prefix}/${name}`;
  const data = { request: { input: [{ role: "user", content: "Hello" }] }, inbox: [] } as const;
  return { id, log: `run:${id}`, agent: `${prefix}/agent`, priority: 0, data, ...others };
}

/** Claims runs for an owner, for a minute unless it says otherwise. */
export function claim(
  { prefix }: StoreSubject,
  store: DurableStore,
  request: Partial<ClaimRequest> = {},
): Promise<readonly StoredRun[]> {
  return store.claim({
    owner: "owner",
    build: "1",
    agents: [`${prefix}/agent`],
    lease: 60_000,
    limit: 100,
    ...request,
  });
}

/** Entries of a conversation, from a number on. */
export function entries(
  from: number,
  count: number,
  writer = "writer",
  text = "Hello",
): readonly SessionEntry[] {
  return Array.from({ length: count }, (_, index): SessionEntry => ({
    type: "message",
    sequence: from + index,
    writer,
    message: { role: "user", content: text },
  }));
}

/** The code of the error that something rejects with; `undefined` if it does not. */
export async function codeOf(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
    return undefined;
  } catch (error) {
    const { code = "none" }: { readonly code?: unknown } = Object(error);
    return code;
  }
}

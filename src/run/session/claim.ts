import { isRunning, markProcess, type ProcessMark } from "./process-mark.ts";

/** The claim of a run on its session, as the session stores it. */
export interface Claim {
  readonly writer: string;
  /** When the lease ends unless it is renewed, in milliseconds since 1970. */
  readonly until: number;
  readonly process: ProcessMark | undefined;
}

/** How long a claim holds without renewal, in milliseconds. */
const lease = 30_000;

/** How long it holds beyond that while its process is there: a tool may block the event loop. */
const patience = 300_000;

/** How often a claim is renewed, in milliseconds. */
export const renewalInterval = 10_000;

/** The writers of a thread that hold a session. */
interface Writers {
  readonly realm: string;
  readonly active: Set<string>;
}

/** A claim entry of this process. */
export function newClaim(): {
  readonly type: "claim";
  readonly until: number;
  readonly process?: ProcessMark;
} {
  const mark = markProcess(sharedWriters().realm);
  return { type: "claim", until: Date.now() + lease, ...(mark && { process: mark }) };
}

/** The entry that ends a claim. */
export const endOfClaim = { type: "claim", until: 0 } as const;

/** Notes that a writer of this thread holds a session. */
export function addWriter(writer: string): void {
  sharedWriters().active.add(writer);
}

/** Notes that a writer of this thread holds no session any more. */
export function removeWriter(writer: string): void {
  sharedWriters().active.delete(writer);
}

/** Whether a writer of this thread holds a session. */
export function hasWriter(writer: string): boolean {
  return sharedWriters().active.has(writer);
}

/** Whether a run still holds its session: it does unless it is known to be dead. */
export function isHeld(claim: Claim | undefined): claim is Claim {
  if (!claim || claim.until === 0) return false;
  const { writer, until, process } = claim;
  const { realm, active } = sharedWriters();
  if (process?.realm === realm) return active.has(writer);
  const now = Date.now();
  const running = process && isRunning(process);
  if (running === undefined) return now < until;
  return running && now < until + patience;
}

/** The writers of this thread, shared by all copies of the package in it. Made at the first use: some runtimes refuse random values before. */
function sharedWriters(): Writers {
  const key = Symbol.for("skein.session-writers");
  const shared: Record<symbol, Writers | undefined> = Object(globalThis);
  return (shared[key] ??= { realm: crypto.randomUUID(), active: new Set() });
}

import type { Session, SessionEntry } from "../run/session/session.ts";
import { InvalidInputError } from "../errors.ts";
import { LeaseLostError } from "./errors.ts";
import type { EventRecorder } from "./event-recorder.ts";
import type { RunWriter } from "./run-writer.ts";
import type { DurableStore } from "./store.ts";

/** The conversation of a durable run, as the session of the run that works in it: what it writes needs the lease. */
export function logSession(
  store: DurableStore,
  log: string,
  writer: RunWriter,
  entries: readonly SessionEntry[],
  events: EventRecorder,
  signal: AbortSignal,
): Session {
  let isLoaded = false;
  return {
    busy: "reject",
    isLeased: true,
    key: `${store.key}:${log}`,
    id: sessionOf(log) ?? log.slice(ownLog.length),
    load: async () => {
      // What was just read, once: it may be long.
      const current = isLoaded ? await store.load(log) : entries;
      isLoaded = true;
      return { entries: current };
    },
    append: async (added) => {
      // Not even how it was cancelled: another process goes on with it.
      if (signal.reason instanceof LeaseLostError) throw signal.reason;
      const write = events.takeWithEntries();
      await writer.commit({ log, entries: added, ...(write && { events: write }) });
    },
    clear: async () => {
      throw new InvalidInputError(
        "The conversation of a durable run cannot be cleared while the run works in it.",
      );
    },
  };
}

/** The log of a run: its own, or that of a conversation, which `sqliteSession` reads under the same name. */
export function logOf(id: string, session: string | undefined): string {
  return session ?? `${ownLog}${id}`;
}

/** The conversation of a log; `undefined` if it is a run's own. */
export function sessionOf(log: string): string | undefined {
  return log.startsWith(ownLog) ? undefined : log;
}

/** What the names of runs' own logs begin with. */
export const ownLog = "run:";

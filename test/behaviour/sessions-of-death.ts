import { type Agent, run, type Session, type SessionEntry } from "skein";
import { memorySession } from "skein/sessions";

/** Sessions of a run that paused, as if its process had died after each of its entries. */
export async function sessionsOfDeath(
  agent: Agent,
): Promise<readonly { readonly session: Session; readonly entries: readonly SessionEntry[] }[]> {
  const session = memorySession();
  await run(agent, "go", { session });
  const entries = (await session.load()).entries.map((entry) =>
    entry.type === "claim" ? { ...entry, until: 0 } : entry,
  );
  // A message is stored with what follows it.
  const ends = entries.flatMap((entry, index) => (entry.type === "message" ? [] : [index + 1]));
  return Promise.all(
    ends.map(async (end) => {
      const cut = memorySession();
      await cut.append(entries.slice(0, end));
      return { session: cut, entries: entries.slice(0, end) };
    }),
  );
}

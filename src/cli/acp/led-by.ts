import type { Session } from "../../run/session/session.ts";

/** A session whose next run begins with another agent than the one that had the lead. */
export function ledBy(session: Session, agent: string): Session {
  return {
    ...session,
    load: async () => {
      const data = await session.load();
      const last = data.entries.findLastIndex(({ type }) => type === "state");
      return {
        ...data,
        entries: data.entries.map((entry, index) =>
          index === last && entry.type === "state" ? { ...entry, agent } : entry,
        ),
      };
    },
  };
}

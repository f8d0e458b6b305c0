import type { Session } from "../../run/session/session.ts";

/**
 * A session in which no run begins once it was deleted. The deletion leaves an entry of its own behind, so that a run that has read the
 * session before cannot write in it either.
 */
export function unlessDeleted(session: Session, isDeleted: () => Promise<boolean>): Session {
  return {
    ...session,
    load: async () => {
      const data = await session.load();
      if (await isDeleted()) throw new Error("it was deleted");
      return data;
    },
  };
}

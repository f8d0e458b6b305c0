import { createRemoteSession } from "./remote-session.ts";
import { createSession, type Session } from "./session.ts";

/** A session that works in this runtime. */
export function openSession(): Session {
  return "bun" in process.versions ? createRemoteSession() : createSession();
}

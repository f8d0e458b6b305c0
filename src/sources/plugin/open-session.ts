import { createRemoteSession } from "./remote-session.ts";
import { createSession, type BuildSession } from "./session.ts";

/** A session that works in this runtime. */
export function openSession(): BuildSession {
  return "bun" in process.versions ? createRemoteSession() : createSession();
}

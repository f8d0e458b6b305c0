export { readSession, type SessionContents } from "../run/session/read-session.ts";
export { SessionBusyError } from "../run/session/busy.ts";
export { SessionConflictError } from "./errors.ts";
export { fileSession } from "./file-session.ts";
export { memorySession } from "./memory-session.ts";
export type { SessionOptions, StoredSessionOptions } from "./options.ts";
export { type SqliteSession, sqliteSession } from "./sqlite-session.ts";

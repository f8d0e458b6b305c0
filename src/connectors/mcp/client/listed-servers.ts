/** A server whose tools can be locked. */
export interface LockableServer {
  readonly name: string;
  lock(): Promise<string>;
}

let listed: Set<LockableServer> | undefined;

/**
 * From now on, remembers every server whose tools are listed, also those within other sets of tools. For commands, which
 * see what a module exports and not what that is made of.
 */
export function rememberListed(): ReadonlySet<LockableServer> {
  listed ??= new Set();
  return listed;
}

/** Notes that the tools of a server are being listed. */
export function noteListed(server: LockableServer): void {
  listed?.add(server);
}

import type { ToolContext } from "../../../tool/tool-context.ts";

/** What the handlers of a server's own requests may look at. */
export interface ServerScope {
  /** The server's name. */
  readonly server: string;
  /** Tells the server from others of its name. */
  readonly serverId: string;
  /** Where the server is, if its name was made of that: two servers may have the same. */
  readonly whereabouts?: string;
  /** The tool calls of the server that are under way, the oldest first: a question of the server belongs to one of them. */
  readonly calls: ReadonlySet<ToolContext>;
  /** Reports something that the application should know. */
  readonly warn: (message: string) => void;
}

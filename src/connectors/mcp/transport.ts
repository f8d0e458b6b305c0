/** A transport of the official SDK, or one that is made like them. */
export interface McpTransport {
  /** Connects. */
  start(): Promise<void>;
  /** Sends a message. */
  send(message: never, options?: never): Promise<void>;
  /** Ends the connection. */
  close(): Promise<void>;
}

import type { McpToolset } from "../../connectors/mcp/client/toolset.ts";

/** Milliseconds before the user reads what a run waits for. */
const patience = 3_000;

/**
 * Reports which servers have not answered after some seconds: a run begins when all have, or have failed.
 * @param report - Receives a sentence, at most once.
 * @returns ends the report.
 */
export function reportSlowServers(
  servers: readonly McpToolset[],
  report: (message: string) => void,
): () => void {
  const waiting = new Set<string>();
  for (const server of servers) {
    waiting.add(server.name);
    const end = (): void => void waiting.delete(server.name);
    // What fails here fails in the run, which reports it.
    server.tools().then(end, end);
  }
  const timer = setTimeout(() => {
    const names = Array.from(waiting, (name) => JSON.stringify(name)).join(", ");
    if (waiting.size > 0)
      report(`Waiting for the MCP ${waiting.size === 1 ? "server" : "servers"} ${names} to answer.`);
  }, patience);
  return () => clearTimeout(timer);
}

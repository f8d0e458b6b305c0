import type { ConnectedServer } from "./create-server.ts";
import type { McpNotifier } from "./types.ts";

/** Tells the clients of all servers that `list` gives. */
export function notifier(
  list: () => readonly ConnectedServer[],
  report: (error: Error) => void,
): McpNotifier {
  const tell = (send: (connected: ConnectedServer) => Promise<void> | undefined): void => {
    for (const connected of list()) send(connected)?.catch(report);
  };
  return {
    toolsChanged: () => tell(({ server }) => server.sendToolListChanged()),
    promptsChanged: () => tell(({ server }) => server.sendPromptListChanged()),
    resourcesChanged: () => tell(({ server }) => server.sendResourceListChanged()),
    resourceUpdated: (uri) =>
      tell(({ server, subscriptions, isModern }) =>
        isModern || subscriptions.has(uri) ? server.sendResourceUpdated({ uri }) : undefined,
      ),
  };
}

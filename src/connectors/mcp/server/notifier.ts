import type { ConnectedServer } from "./create-server.ts";
import type { McpNotifier } from "./types.ts";

/** Tells the clients of all servers that `list` gives. */
export function notifier(
  list: () => readonly ConnectedServer[],
  report: (error: Error) => void,
): McpNotifier {
  const notify = (send: (connected: ConnectedServer) => Promise<void> | undefined): void => {
    for (const connected of list()) send(connected)?.catch(report);
  };
  return {
    toolsChanged: () => notify(({ server }) => server.sendToolListChanged()),
    promptsChanged: () => notify(({ server }) => server.sendPromptListChanged()),
    resourcesChanged: () => notify(({ server }) => server.sendResourceListChanged()),
    resourceUpdated: (uri) =>
      notify(({ server, subscriptions, isModern }) =>
        isModern || subscriptions.has(uri) ? server.sendResourceUpdated({ uri }) : undefined,
      ),
  };
}

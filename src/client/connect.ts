import { hasList } from "./own.ts";
import { checkAfter, checkOptions } from "./check-options.ts";
import { SkeinClientError } from "./client-error.ts";
import { Connection } from "./connection.ts";
import { FollowedRun } from "./remote-run.ts";
import type {
  Client,
  ConnectOptions,
  FollowOptions,
  RemoteAgent,
  RemoteInput,
  RemoteRun,
  RemoteSession,
  StartOptions,
} from "./types.ts";

const startOptionNames = { session: true, id: true, signal: true } satisfies Record<keyof StartOptions, true>;
const followOptionNames = { after: true, signal: true } satisfies Record<keyof FollowOptions, true>;

/**
 * The client of a server of Skein agents (`serve()` of `skein/server`), in browsers and everywhere else. It reconnects by itself: the events of a
 * run are those of `stream()`, however often the connection breaks. Nothing is sent before a run is started.
 * @param url - Where the server is mounted, such as `"https://shop.example/ai"`; in a browser also a path.
 * @throws SkeinClientError (`invalid-option`)
 */
export function connect(url: string | URL, options: ConnectOptions = {}): Client {
  const connection = new Connection(url, options);
  const stream = (agent: string, input: RemoteInput, startOptions: StartOptions = {}): RemoteRun => {
    checkOptions(startOptions, startOptionNames, "stream()");
    // So that a request whose answer is lost can be sent again: it is the same run.
    const { session, id = randomId(), signal } = startOptions;
    const post = { path: `/runs/${encodeURIComponent(agent)}`, body: { input, session, id } };
    return new FollowedRun(connection, { id, after: -1, post, signal });
  };
  return {
    stream,
    run: async (agent, input, startOptions) => stream(agent, input, startOptions).result,
    follow: (id, followOptions = {}) => {
      checkOptions(followOptions, followOptionNames, "follow()");
      return new FollowedRun(connection, {
        id,
        after: checkAfter(followOptions.after),
        signal: followOptions.signal,
      });
    },
    session: async (session) => {
      try {
        return await connection.read(`/sessions/${encodeURIComponent(session)}`, isSession);
      } catch (error) {
        if (error instanceof SkeinClientError && error.code === "not-found")
          return { session, messages: [], pending: [] };
        throw error;
      }
    },
    agents: async () => (await connection.read("/agents", hasAgents)).agents,
  };
}

function isSession(value: unknown): value is RemoteSession {
  return hasList(value, "messages");
}

function hasAgents(value: unknown): value is { readonly agents: readonly RemoteAgent[] } {
  return hasList(value, "agents");
}

/** Not `randomUUID`, which browsers have for https pages only. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

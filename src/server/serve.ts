import { notify, printFailure } from "../base/util/callbacks.ts";
import { chain, type MaybePromise } from "../base/util/maybe-promise.ts";
import { guarded } from "../durable/guarded-store.ts";
import { memoryStore } from "../durable/memory/memory-store.ts";
import { servedRuns } from "../durable/runs.ts";
import type { ServerContext } from "./call.ts";
import { type Answer, responseOf } from "./answer.ts";
import { checkServeOptions, namedAgents, standardProtocols } from "./check-options.ts";
import { Conversations } from "./conversation.ts";
import { RequestHandler } from "./handler.ts";
import { FetchedRequest, type IncomingRequest } from "./incoming.ts";
import { localHosts } from "./guard.ts";
import type * as NodeHandler from "./node-handler.ts";
import { McpCalls } from "./mcp-calls.ts";
import { PlainRuns } from "./plain-runs.ts";
import { RunLimit } from "./run-limit.ts";
import type {
  FetchContext,
  Listening,
  ListenOptions,
  ServedAgents,
  ServeOptions,
  SkeinServer,
} from "./types.ts";

/** How many runs are executed at once, unless `maxRuns` says otherwise. */
const standardRuns = 100;
/** How many of these one user may have. */
const standardLimit = 20;
/** For how long the runs under way are waited for, in milliseconds, as `close()` of durable runs does. */
const standardDrain = 10_000;
const standardBody = 4_194_304;

/**
 * Puts agents behind HTTP, for the clients that people have: OpenAI's, `useChat` of the AI SDK, AG-UI, and `connect()` of `skein/client`.
 * Nothing is opened before the first request.
 *
 * Runs are durable ones: they go on when a client leaves, and where a `store` is set, when the process ends.
 * @param agents - One, a list, or a record whose keys are the names that clients use.
 * @throws ConfigurationError (`invalid-option`); NameClashError for two agents of one name.
 */
export function serve(agents: ServedAgents, serveOptions: ServeOptions = {}): SkeinServer {
  const options = checkServeOptions(serveOptions);
  const served = namedAgents(agents);
  const { store = memoryStore(), maxRuns = standardRuns, work = true } = options;
  const report: ServerContext["report"] = (error, about) => {
    const { onError } = options;
    if (!onError) return printFailure("a request of serve()", error);
    notify(
      () => onError(error, about),
      (failure) => printFailure("onError of serve()", failure),
    );
  };
  const plainRuns = new PlainRuns();
  const runs = servedRuns(
    {
      agents: [...new Set(served.values())],
      store,
      ...(options.runOptions && { runOptions: options.runOptions }),
      ...(options.approvalTimeout !== undefined && { approvalTimeout: options.approvalTimeout }),
      onError: (error, runId) => report(error, { runId }),
    },
    async (drain) => {
      await plainRuns.close(drain);
      await handler.closeAnswers();
    },
  );
  const here = isRequestBound();
  const limit = new RunLimit(options.perUser?.runs ?? standardLimit, store);
  const context: ServerContext = {
    options,
    agents: served,
    all: {
      runs,
      store: guarded(store),
      here: here && work,
      limit,
    },
    conversations: new Conversations(options.busy ?? "reject", report),
    plainRuns,
    mcpCalls: new McpCalls(limit, maxRuns),
    maxBodyBytes: options.maxBodyBytes ?? standardBody,
    report,
  };
  const handler = new RequestHandler(context, {
    allowedHosts: options.allowedHosts ?? localHosts,
    protocols: options.protocols ?? standardProtocols,
    start: () => {
      if (work && !here) void runs.work({ concurrency: maxRuns });
    },
  });
  return serverOf(handler, context);
}

function serverOf(
  handler: RequestHandler,
  { all: { runs }, plainRuns, mcpCalls, options }: ServerContext,
): SkeinServer {
  const fetch = (request: Request, ...platform: readonly unknown[]): Promise<Response> =>
    handler.answer(new FetchedRequest(request), waitUntilOf(platform)).then(responseOf);
  const answer = (request: IncomingRequest): Promise<Answer> => handler.answer(request);
  const listening: { close(): Promise<void> }[] = [];
  return {
    fetch,
    GET: fetch,
    POST: fetch,
    DELETE: fetch,
    OPTIONS: fetch,
    node: (request, response) => {
      const answered = chain(loadNodeHandler(), ({ answerNode }) => answerNode(answer, request, response));
      // What breaks here is the connection: a request that fails has an answer.
      Promise.resolve(answered).catch(() => response.destroy());
    },
    listen: async (listenOptions: ListenOptions = {}): Promise<Listening> => {
      const { listen } = await import("./listen.ts");
      const opened = await listen(answer, listenOptions, options.authorize !== undefined);
      handler.start();
      handler.addHost(listenOptions.host);
      listening.push(opened);
      return { url: opened.url, port: opened.port, closed: opened.closed };
    },
    close: async (closeOptions = {}) => {
      handler.close();
      // Clients who come meanwhile learn when to come again, and streams show the ends of their runs.
      const { drain = standardDrain } = closeOptions;
      await Promise.all([runs.close(closeOptions), plainRuns.close(drain), mcpCalls.close(drain)]);
      await Promise.all(listening.map((each) => each.close()));
    },
    runs,
  };
}

let nodeHandler: typeof NodeHandler | undefined;

/** Answers requests of `node:http`: at once if it is loaded. */
function loadNodeHandler(): MaybePromise<typeof NodeHandler> {
  return nodeHandler ?? import("./node-handler.ts").then((loaded) => (nodeHandler = loaded));
}

/** How Workers are asked to go on behind an answer: `fetch(request, env, context)`. */
function waitUntilOf(platform: readonly unknown[]): FetchContext["waitUntil"] {
  for (const value of platform) {
    if (typeof value !== "object" || value === null || !("waitUntil" in value)) continue;
    const { waitUntil } = value;
    if (typeof waitUntil === "function") return (work) => void Reflect.apply(waitUntil, value, [work]);
  }
  return undefined;
}

/** Whether the platform ends what a request has started with its answer, unless the request waits for it: Cloudflare's Workers. */
function isRequestBound(): boolean {
  const { navigator }: { readonly navigator?: { readonly userAgent?: string } } = globalThis;
  return navigator?.userAgent === "Cloudflare-Workers";
}

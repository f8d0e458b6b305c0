import type { ObjectContext, ObjectSharedContext } from "@restatedev/restate-sdk";
import { readGroups } from "./log-events.ts";
import { readHead, readPage } from "./log-entries.ts";
import { json } from "./json.ts";
import { LogObject } from "./log-object.ts";
import type { LogSettings, PruneRequest } from "./log-runs.ts";
import {
  type ExecuteRequest,
  keys,
  type LogAnswers,
  type LogRequests,
  type RunRecord,
  storedRunOf,
} from "./log-state.ts";
import type { Sdk } from "./sdk.ts";
import type { RestateService } from "./types.ts";

/** What came of an execution: `"busy"` if this process could not begin it. */
export type Executed = "done" | "busy";

/** Executes a run once, until it pauses or ends. Rejects if another attempt is needed. */
export type Execute = (id: string, request: ExecuteRequest, signal: AbortSignal) => Promise<Executed>;

/** In how many milliseconds another process is tried, at first and at most: thousands of runs may wait. */
const firstDelay = 250;
const longestDelay = 5_000;

/** An execution may take as long as it does: that its process has died, Restate learns from the connection. */
const longest = 7 * 86_400_000;

/** Tries without end: by default, Restate gives up after 70 times, and the run would stand still. */
const retryPolicy = {
  initialInterval: 100,
  exponentiationFactor: 2,
  maxInterval: 5_000,
  maxAttempts: 1_000_000_000,
} as const;

const options = { enableLazyState: true, journalRetention: 0, idempotencyRetention: 0, retryPolicy };

/** The objects that keep and execute runs. */
export function restateServices(sdk: Sdk, settings: LogSettings, execute: Execute): RestateService[] {
  const { exclusive, shared } = sdk.handlers.object;
  const change = (context: ObjectContext): LogObject => new LogObject(context, settings);
  const log = sdk.object({
    name: settings.log,
    options,
    handlers: {
      create: exclusive((context, request: LogRequests["create"]) => change(context).create(request)),
      add: exclusive({ ingressPrivate: true }, (context, request: LogRequests["create"]) =>
        change(context).add(request),
      ),
      claim: exclusive((context, request: LogRequests["claim"]) => change(context).claim(request)),
      commit: exclusive((context, request: LogRequests["commit"]) => change(context).commit(request)),
      update: exclusive((context, request: LogRequests["update"]) => change(context).update(request)),
      prune: exclusive({ ingressPrivate: true }, (context, request: PruneRequest) =>
        change(context).prune(request),
      ),
      read: shared((context, { id }: LogRequests["read"]) => readRun(context, id)),
      load: shared((context, { from }: LogRequests["load"]) => readPage(context, from)),
      events: shared(async (context, { id, after, limit }: LogRequests["events"]) => {
        const record = await context.get<RunRecord>(keys.run(id));
        return record ? readGroups(context, record, after, limit) : { groups: [], isLast: true };
      }),
      lane: shared(readLane),
    },
  });
  const run = sdk.object({
    name: settings.run,
    options,
    handlers: {
      execute: exclusive(
        { ingressPrivate: true, inactivityTimeout: longest, abortTimeout: longest },
        async (context, request: ExecuteRequest) => {
          const { key } = context;
          const { attemptCompletedSignal: signal } = context.request();
          // One promise of Restate at a time, and nothing else that is repeated by its place.
          const executed = await context.run("execute", () => execute(key, request, signal));
          if (executed === "done") return;
          // Not by a wait within this call: what a log does for runs under way must find a place beside them.
          const { tries = 0 } = request;
          context.genericSend({
            service: settings.run,
            method: "execute",
            key,
            parameter: { ...request, tries: tries + 1 },
            inputSerde: json<ExecuteRequest>(),
            delay: Math.min(firstDelay * 2 ** tries, longestDelay),
          });
        },
      ),
    },
  });
  return [log, run];
}

async function readRun(context: ObjectSharedContext, id: string): Promise<LogAnswers["read"]> {
  const record = await context.get<RunRecord>(keys.run(id));
  if (record) return { run: storedRunOf(record) };
  const log = await context.get<string>(keys.log);
  return log === null || log === context.key ? {} : { log };
}

/** How many runs that have not ended are listed of a log. */
const mostOfLane = 1_000;

async function readLane(context: ObjectSharedContext): Promise<LogAnswers["lane"]> {
  const runs: LogAnswers["lane"]["runs"][number][] = [];
  for (const { id } of (await readHead(context)).lane.slice(0, mostOfLane)) {
    const record = await context.get<RunRecord>(keys.run(id));
    if (record) runs.push(storedRunOf(record));
  }
  return { runs };
}

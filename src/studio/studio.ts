import type { AnyAgent } from "../agent/agent.ts";
import { reachableAgents } from "../agent/handoff.ts";
import { printFailure } from "../base/util/callbacks.ts";
import { errorMessage } from "../base/util/error-message.ts";
import { memoryStore } from "../durable/memory/memory-store.ts";
import type { DurableStore } from "../durable/store.ts";
import { observeWire } from "../model/wire-seam.ts";
import { addGlobalMiddleware } from "../run/steps/global-middleware.ts";
import { Refusal } from "../server/refusal.ts";
import { listen } from "../server/listen.ts";
import { serve } from "../server/serve.ts";
import type { SkeinServer } from "../server/types.ts";
import { assertAgents, checkStudioOptions } from "./check-options.ts";
import { ChatChoices } from "./chat-choices.ts";
import { authorizeChat } from "./chat-runs.ts";
import { describeAgents, outlineAgents } from "./describe-agents.ts";
import type { Evals } from "./evals/evals.ts";
import { StudioHandler } from "./handler.ts";
import { type AgentsSource, Library } from "./library.ts";
import { Recorder } from "./recorder.ts";
import type { OtlpReceiver } from "./otlp/receiver.ts";
import type { Replays } from "./replay/replays.ts";
import type { StoredRuns } from "./elsewhere/stored-runs.ts";
import { type RunRing, standardLimits } from "./ring.ts";
import type { RunRecord } from "./run-record.ts";
import { StudioToken } from "./token.ts";
import type { Studio, StudioOptions } from "./types.ts";

const standardPort = 4_747;

/** A studio whose agents can change. */
export interface ChangingStudio extends Studio {
  /** Where spans of OpenTelemetry are received, if they are. */
  readonly otlp: string | undefined;
  /** Chats with these from now on: conversations go on with them. */
  replaceAgents(agents: readonly AnyAgent[]): Promise<void>;
  /** Shows why the agents could not be loaded again: those before go on. */
  showProblem(problem: string): void;
}

/**
 * Opens the studio: a local page to chat with agents, and to look at every run of this process from now on, with each request and call. For
 * development: it listens at `127.0.0.1`, and answers only those who have the token in its address.
 * @throws ConfigurationError: `invalid-option`, `listen` if the port is taken, `production` if `NODE_ENV` is `"production"`.
 */
export async function studio(options: StudioOptions): Promise<Studio> {
  const opened = await openStudio(options);
  const close = (): Promise<void> => opened.close();
  return {
    url: opened.url,
    port: opened.port,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Runs that other processes have executed. */
export interface RunsFromElsewhere {
  /** The store of durable runs. */
  readonly store?: DurableStore;
  /** The files of recordings. */
  readonly recordings?: readonly string[];
  /** The port at which spans of OpenTelemetry are received; `0` for a free one. */
  readonly otlp?: number;
}

/** Loaded only where there is one. */
async function openRecordings(files: readonly string[]): Promise<readonly RunRecord[]> {
  if (files.length === 0) return [];
  const { openRecording } = await import("./elsewhere/recordings.ts");
  return (await Promise.all(files.map(openRecording))).flat();
}

async function readStore(store: DurableStore, ring: RunRing): Promise<StoredRuns> {
  const { StoredRuns: Stored } = await import("./elsewhere/stored-runs.ts");
  return new Stored(store, ring);
}

async function receive(ring: RunRing, port: number): Promise<OtlpReceiver> {
  const { receiveTraces } = await import("./otlp/receiver.ts");
  return receiveTraces(ring, port);
}

function refuseWithoutAgents(): never {
  throw new Refusal(404, "not-found", "The studio was opened without agents.");
}

/** Opens a studio whose agents can change. */
export async function openStudio(
  options: StudioOptions,
  source: AgentsSource = {},
  { store: storeOfOthers, recordings = [], otlp }: RunsFromElsewhere = {},
): Promise<ChangingStudio> {
  checkStudioOptions(
    options,
    storeOfOthers !== undefined || recordings.length > 0 || otlp !== undefined || source.evals !== undefined,
  );
  const { agents, port = standardPort, runOptions = {} } = options;
  const token = new StudioToken();
  const choices = new ChatChoices();
  const library = new Library(
    { runs: options.keepRuns ?? standardLimits.runs, bytes: options.keepBytes ?? standardLimits.bytes },
    source,
  );
  const recorder = new Recorder(library.ring, library.secrets);
  let endReplaying = (): void => {};
  let loading: Promise<Replays> | undefined;
  // Most studios repeat no run: nothing stands around the runs until one does.
  const loadReplays = (): Promise<Replays> =>
    (loading ??= import("./replay/replays.ts").then(({ Replays: Loaded }) => {
      const replays = new Loaded(recorder);
      endReplaying = addGlobalMiddleware(replays.source);
      return replays;
    }));
  let evals: Evals | undefined;
  const loadEvals = async (): Promise<Evals> => {
    const { Evals: Loaded } = await import("./evals/evals.ts");
    return (evals ??= new Loaded(source.evals, library.ring));
  };
  const store = memoryStore();
  const opened = await openRecordings(recordings);
  const stored = storeOfOthers && (await readStore(storeOfOthers, library.ring));
  const receiver = otlp === undefined ? undefined : await receive(library.ring, otlp);
  library.otlp = receiver?.url;
  const serveAgents = (listed: readonly AnyAgent[]): SkeinServer | undefined => {
    if (listed.length === 0) return undefined;
    return serve(reachableAgents(listed), {
      store,
      protocols: ["native"],
      authorize: (request) => authorizeChat(request, token, choices),
      // Everything is for the person who runs the agents.
      show: { toolErrors: true },
      perUser: { runs: 100, requestsPerMinute: 100_000 },
      runOptions,
      onError: (error) => printFailure("a run of the studio", error),
    });
  };
  let current = agents;
  let served = serveAgents(agents);
  library.setAgents(outlineAgents(reachableAgents(agents)));
  const handler = new StudioHandler({
    library,
    token,
    choices,
    served: () => served ?? refuseWithoutAgents(),
    stored,
    agents: () => reachableAgents(current),
    loadReplays,
    loadEvals,
  });
  const endObserving = observeWire(recorder.observer);
  const endRecording = addGlobalMiddleware(() => recorder.middleware);
  const end = (): void => {
    endReplaying();
    evals?.close();
    endObserving();
    endRecording();
    recorder.stop();
  };
  const close = async (): Promise<void> => {
    end();
    library.updates.close();
    await served?.close({ drain: 0 });
    await stored?.close();
    await receiver?.close();
    await listening.close();
  };
  const listening = await listen((request) => handler.answer(request), { port }, true).catch(
    async (error: unknown) => {
      end();
      await receiver?.close();
      await served?.close({ drain: 0 });
      throw error;
    },
  );
  // The page is there while the types of tools are read, which takes a second or two.
  let generation = 0;
  const describe = async (): Promise<void> => {
    const views = await describeAgents(reachableAgents(agents));
    if (generation === 0) library.setAgents(views);
  };
  describe().catch((error: unknown) => library.setProblem(errorMessage(error)));
  for (const record of opened) library.ring.add(record);
  await stored?.open();
  library.address = `127.0.0.1:${listening.port}`;
  return {
    url: `${listening.url}/#token=${token.text}`,
    port: listening.port,
    otlp: receiver?.url,
    close,
    [Symbol.asyncDispose]: close,
    replaceAgents: async (next) => {
      assertAgents(next);
      generation++;
      const views = await describeAgents(reachableAgents(next));
      const before = served;
      served = serveAgents(next);
      current = next;
      library.setAgents(views);
      // Runs under way go on with the agents that they have.
      await before?.close();
    },
    showProblem: (problem) => library.setProblem(problem),
  };
}

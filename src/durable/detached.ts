import type { AnyAgent } from "../agent/agent.ts";
import { toStorable } from "../base/util/storable.ts";
import { digest } from "../base/util/digest.ts";
import type { DetachedAgent } from "../executor/types.ts";
import { runIdWithin, type StepKey } from "../message/step-key.ts";
import type { PendingCall } from "../message/run-state.ts";
import { runOf } from "../message/waits.ts";
import type { ExternalResult } from "../run/types.ts";
import { cancelRun } from "./cancel-run.ts";
import { changeStored } from "./change-stored.ts";
import { DurableRunError } from "./errors.ts";
import { logOf } from "./log-session.ts";
import type { DurableStore } from "./store.ts";
import { endedStatuses, type StoredError, type StoredRun } from "./stored-run.ts";

/** How many runs may have started one another, as deep as agents within a run may call each other. */
const deepestRun = 8;

/** The longest id that is one in every store. */
const longestId = 200;

/**
 * Adds the run of an agent that a tool of another run calls: once, however often the tool is executed.
 * @returns its id.
 * @throws TypeError for a context that is not plain JSON.
 */
export async function startDetached(
  store: DurableStore,
  parent: StoredRun,
  agents: ReadonlyMap<string, AnyAgent>,
  { agent, input, context, step }: DetachedAgent,
): Promise<string> {
  if (!agents.has(agent))
    throw new Error(`${agent} cannot be run on its own: add it to the agents of runs().`);
  const depth = (parent.data.depth ?? 0) + 1;
  if (depth > deepestRun)
    throw new Error(`${agent} was not run: agents have called each other ${deepestRun} deep.`);
  const id = await idOfRun(parent.id, step);
  const { value, omissions } = toStorable(context, "the context");
  const [omission] = omissions;
  if (omission)
    throw new TypeError(`${agent} cannot be run on its own: ${omission.path} is ${omission.what}.`);
  const data = {
    request: { input: [{ role: "user", content: input } as const], context: value },
    inbox: [],
    parent: parent.id,
    depth,
  };
  // Noted before: a run that is cancelled ends those that it has started, whichever process had it.
  await changeStored(store, parent.id, ({ data: { children = [], ...rest } }) =>
    children.includes(id) ? undefined : { data: { ...rest, children: [...children, id] } },
  );
  const [created] = await store.create([
    { id, log: logOf(id, undefined), agent, priority: parent.priority, data },
  ]);
  if (created && (created.run.data.parent !== parent.id || created.run.agent !== agent))
    throw new DurableRunError(
      `${agent} cannot be run on its own: its id "${id}" is that of another run of ${created.run.agent}.`,
      "run-exists",
      { id },
    );
  const current = await store.read(parent.id);
  if (current?.data.cancel) await cancelRun(store, id, "The run that waits for it was cancelled.");
  return id;
}

/** Whether the run of a step was started before, or was to be, by a run that has not paused since, or waits for it. */
export async function hasStarted({ id, data: { children } }: StoredRun, step: StepKey): Promise<boolean> {
  return children !== undefined && children.includes(await idOfRun(id, step));
}

async function idOfRun(parent: string, step: StepKey): Promise<string> {
  const name = runIdWithin(step);
  if (name.length <= longestId) return name;
  return `${parent.slice(0, 100).replace(/[\uD800-\uDBFF]$/, "")}/${await digest(name)}`;
}

/** The results of those of the calls that wait for runs which have ended. */
export async function resultsOfRuns(
  store: DurableStore,
  waiting: readonly PendingCall[],
): Promise<readonly ExternalResult[]> {
  const results: ExternalResult[] = [];
  for (const call of waiting) {
    const id = runOf(call);
    if (id === undefined) continue;
    const run = await store.read(id);
    if (run && !endedStatuses.includes(run.status)) continue;
    results.push({ toolCallId: call.toolCallId, ...outcomeOf(id, run) });
  }
  return results;
}

function outcomeOf(id: string, run: StoredRun | undefined): Pick<ExternalResult, "content" | "isError"> {
  if (!run) return { content: `The run "${id}" is not in the store any more.`, isError: true };
  const { agent, status, data } = run;
  if (status === "completed") return { content: data.report?.text ?? "" };
  const why = wordsOf(data.error) ?? data.cancel?.reason ?? data.report?.status;
  return {
    content: `${agent} ended without an answer (${status}${why === undefined ? "" : `: ${why}`}).`,
    isError: true,
  };
}

/** What a model reads of an error: the words of a provider are for the program. */
function wordsOf(error: StoredError | undefined): string | undefined {
  return error?.isOfModel ? `a model call failed (${error.code})` : error?.message;
}

/** The ids of the runs that calls wait for. */
export function runsWithin(waiting: readonly PendingCall[]): readonly string[] {
  return waiting.flatMap((call) => runOf(call) ?? []);
}

import { checkListOptions } from "../../durable/check-options.ts";
import { StoredRunHandle } from "../../durable/handle.ts";
import { listRuns } from "../../durable/list-runs.ts";
import type { DurableStore } from "../../durable/store.ts";
import type { DurableStatus } from "../../durable/stored-run.ts";
import type { ListOptions, RunHandle } from "../../durable/types.ts";
import { InvalidInputError } from "../../errors.ts";
import { printable, printableJson, screenOn, shorten } from "../text.ts";
import { openStore } from "./open-store.ts";
import {
  describeCall,
  describeEvent,
  describeMessage,
  describeRun,
  describeRunWait,
} from "./describe-run.ts";

/** What every command takes. */
export interface RunFlags {
  readonly store: string;
  readonly json?: boolean;
}

/** The options of `skein runs list`. */
export interface ListFlags extends RunFlags {
  readonly status?: DurableStatus;
  readonly agent?: string;
  readonly session?: string;
  readonly limit?: number;
}

/** The options of `skein runs follow`. */
export interface FollowFlags extends RunFlags {
  readonly after?: number;
}

/** The options of commands that may have a reason. */
export interface ReasonFlags extends RunFlags {
  readonly reason?: string;
}

/** The options of `skein runs decide`. */
export type DecideFlags = ReasonFlags;

/** The longest error that is printed, in columns. */
const longestNote = 1_000;

/** How much of an approval id is enough, in characters. */
const shortestApproval = 8;

/** Lists runs. */
export async function listCommand({ store, json, ...flags }: ListFlags): Promise<void> {
  const { limit = 20, ...others } = flags;
  const options: ListOptions = checkListOptions({ ...others, limit });
  const listed = await inStore(store, (open) => listRuns(open, options));
  if (json) return print(printableJson(listed));
  const screen = screenOn(process.stdout);
  if (listed.length === 0) return print("There are no such runs.");
  print(listed.map((run) => describeRun(run, screen)).join("\n"));
}

/** Prints a run. */
export async function showCommand(id: string, { store, json }: RunFlags): Promise<void> {
  const state = await inRun(store, id, (run) => run.state());
  if (json) return print(printableJson(state));
  const screen = screenOn(process.stdout);
  const lines = [
    describeRun(state, screen),
    ...(state.error ? [note(`${state.error.name}: ${state.error.message}`)] : []),
    ...(state.missing === undefined ? [] : [note(`It waits for a program that has: ${state.missing}`)]),
    ...(state.waitsFor === undefined
      ? []
      : [note(`It waits for the run ${state.waitsFor} of its conversation.`)]),
    ...(state.cancelReason === undefined ? [] : [note(`Cancelled: ${state.cancelReason}`)]),
    ...(state.attempts > 0 ? [] : state.input.flatMap((message) => describeMessage(message, screen))),
    ...state.messages.flatMap((message) => describeMessage(message, screen)),
    ...(state.waitsForRuns ?? []).map((wait) => `waits: ${describeRunWait(wait)}`),
    ...state.pending.map((call) => `waits: ${describeCall(call)}`),
  ];
  print(lines.join("\n"));
}

/** On a line of its own, whatever stands in it. */
function note(text: string): string {
  return `  ${shorten(text, longestNote)}`;
}

/** Prints the events of a run as they come. */
export async function followCommand(id: string, { store, json, after }: FollowFlags): Promise<void> {
  await inRun(store, id, async (run) => {
    for await (const event of run.events(after === undefined ? {} : { after })) {
      const line = json ? JSON.stringify(event) : describeEvent(event);
      if (line !== undefined) print(line);
    }
  });
}

/**
 * Approves or denies a call that waits.
 * @param approval - Its approval id, or how that begins: another call may wait by now than was shown.
 */
export async function decideCommand(
  id: string,
  decision: "approve" | "deny",
  approval: string,
  { store, reason }: DecideFlags,
): Promise<void> {
  const call = await inRun(store, id, async (run) => {
    const { pending } = await run.state();
    const waiting = pending.filter((each) => each.approvalId !== undefined);
    const [only, another] = waiting.filter(
      ({ approvalId }) => approval.length >= shortestApproval && approvalId?.startsWith(approval),
    );
    if (only?.approvalId === undefined || another) {
      const listed = waiting.map((each) => `\n  ${describeCall(each)}`).join("");
      throw new InvalidInputError(
        waiting.length === 0
          ? `No call of the run "${id}" waits for a decision.`
          : `No single call of the run "${id}" waits for the approval "${approval}". Pass the approval id, or its first ${shortestApproval} characters and more. Waiting:${listed}`,
      );
    }
    await run.decide([{ approvalId: only.approvalId, decision, ...(reason !== undefined && { reason }) }]);
    return only;
  });
  print(`${decision === "approve" ? "approved" : "denied"}: ${describeCall(call)}`);
}

/** Ends a run. */
export async function cancelCommand(id: string, { store, reason }: ReasonFlags): Promise<void> {
  const [isCancelled, status] = await inRun(store, id, async (run) => [
    await run.cancel(reason),
    (await run.state()).status,
  ]);
  if (!isCancelled)
    throw new InvalidInputError(`The run "${id}" is ${status} already: nothing was cancelled.`);
  print(`The run ${id} ${status === "cancelled" ? "is cancelled" : "is being cancelled"}.`);
}

/** Gives a call its result that was executed elsewhere. */
export async function resolveCommand(
  id: string,
  toolCallId: string,
  result: unknown,
  { store, error = false }: RunFlags & { readonly error?: boolean },
): Promise<void> {
  await inRun(store, id, (run) => run.resolve(toolCallId, result, { isError: error }));
  print(`The call ${toolCallId} of ${id} has its result.`);
}

/** Sends a run a message of the user. */
export async function steerCommand(
  id: string,
  message: string,
  { store, queue = false }: RunFlags & { readonly queue?: boolean },
): Promise<void> {
  await inRun(store, id, (run) => (queue ? run.queue(message) : run.steer(message)));
  print(`The run ${id} has the message.`);
}

/** Has a run go on. */
export async function retryCommand(id: string, { store }: RunFlags): Promise<void> {
  await inRun(store, id, (run) => run.retry());
  print(`The run ${id} is queued.`);
}

function inRun<T>(store: string, id: string, work: (run: RunHandle) => Promise<T>): Promise<T> {
  return inStore(store, (open) => work(new StoredRunHandle(id, false, open, () => {})));
}

async function inStore<T>(file: string, work: (store: DurableStore) => Promise<T>): Promise<T> {
  const store = openStore(file, "--store <file>, or SKEIN_STORE");
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

function print(text: string): void {
  process.stdout.write(`${printable(text)}\n`);
}

import type { StoredEvent } from "../durable/stored-event.ts";
import type { StoredRun } from "../durable/stored-run.ts";
import { clientCalls } from "../run/public/client-calls.ts";
import type { Call } from "./call.ts";
import type { Followed } from "./turn.ts";
import type { UserRun } from "./user-runs.ts";

/** The end of a run, or of a part of it. */
export type RunEnd = Extract<StoredEvent, { readonly type: "run-end" }>;

/** Whether an event is such an end. */
export function isRunEnd(event: StoredEvent): event is RunEnd {
  return event.type === "run-end";
}

/** Whether an event is a pause that no client has to do with: what a tool waits for comes from elsewhere, and has the run go on. */
export function isOwnPause(event: StoredEvent): boolean {
  return (
    event.type === "run-end" &&
    event.status === "paused" &&
    event.error === undefined &&
    clientCalls(event.result?.pending ?? []).length === 0
  );
}

/** Events without the pauses that no client has to do with, unless nothing comes behind one: then it is the end for now. */
export async function* withoutOwnPauses(
  events: AsyncIterable<StoredEvent>,
): AsyncGenerator<StoredEvent, void> {
  let pause: StoredEvent | undefined;
  for await (const event of events) {
    pause = isOwnPause(event) ? event : undefined;
    if (!pause) yield event;
  }
  if (pause) yield pause;
}

/** The events of a run behind an index, as one answer: until it stops where a client has something to do, or nothing more comes for now. */
export function answerOf(
  call: Call,
  { run, after }: Pick<Followed, "run" | "after">,
): ReturnType<Call["follow"]> {
  const { events, onCancel } = call.follow({ run, after });
  return { events: untilStop(events, call, run), onCancel };
}

/** Events up to the first end: a run that paused for a client and went on has more behind it. */
async function* untilStop(
  events: AsyncIterable<StoredEvent>,
  call: Call,
  { id }: UserRun,
): AsyncGenerator<StoredEvent, void> {
  for await (const event of withoutOwnPauses(events)) {
    yield event;
    if (event.type === "run-end") return;
  }
  // One that had paused before has its end said once more.
  const { stored } = await call.runs.get(id);
  if (stored.status === "paused") yield endOf(stored);
}

/** What a run came to, as its last events say it, for one whose events are not kept any more. */
export async function* lastWords(run: StoredRun): AsyncGenerator<StoredEvent, void> {
  const { agent = "", text = "" } = run.data.report ?? {};
  if (text !== "") yield { type: "text-delta", index: run.progress.next, agent, text };
  yield endOf(run);
}

function endOf({ status, data: { report, error }, progress }: StoredRun): RunEnd {
  const ended = error ? "failed" : (report?.status ?? "cancelled");
  return {
    type: "run-end",
    index: progress.next + 1,
    agent: report?.agent ?? "",
    status: status === "paused" ? "paused" : ended,
    ...(report && { result: report }),
    ...(error && { error }),
  };
}

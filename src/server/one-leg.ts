import type { StoredEvent } from "../durable/stored-event.ts";
import type { StoredRun } from "../durable/stored-run.ts";

/** Events up to the first end: a run that paused there and went on has more behind it. */
export async function* untilStop(events: AsyncIterable<StoredEvent>): AsyncGenerator<StoredEvent, void> {
  for await (const event of events) {
    yield event;
    if (event.type === "run-end") return;
  }
}

/** What a run came to, as its last events say it, for one whose events are not kept any more. */
export async function* lastWords({
  data: { report, error },
  progress,
}: StoredRun): AsyncGenerator<StoredEvent, void> {
  const { agent = "", text = "" } = report ?? {};
  const index = progress.next;
  if (text !== "") yield { type: "text-delta", index, agent, text };
  yield {
    type: "run-end",
    index: index + 1,
    agent,
    status: error ? "failed" : (report?.status ?? "cancelled"),
    ...(report && { result: report }),
    ...(error && { error }),
  };
}

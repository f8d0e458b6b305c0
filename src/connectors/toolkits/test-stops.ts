import { run, type Agent, type RunEvent } from "skein";
import { memorySession, readSession } from "skein/sessions";
import { expect } from "vitest";

/** A run that begins in a world of its own, with a model that reads the history alone. */
export interface StoppedWorld {
  readonly agent: Agent;
  readonly context?: object;
}

/**
 * Runs the same over and over: cancelled at its first event, at its second, and so on, at last not at all. Each time it is resumed to its
 * end, and `check` looks at the world.
 * @returns how many events there were.
 */
export async function stopAtEveryEvent<W extends StoppedWorld>(
  open: () => W | Promise<W>,
  check: (world: W, messages: Awaited<ReturnType<typeof readSession>>["messages"]) => void | Promise<void>,
): Promise<number> {
  for (let place = 1; ; place += 1) {
    const world = await open();
    const session = memorySession();
    const controller = new AbortController();
    let passed = 0;
    const onEvent = (_: RunEvent): void => {
      passed += 1;
      if (passed === place) controller.abort();
    };
    const { agent, context = {} } = world;
    const options = { session, context };
    const first = await run(agent, "Go.", { ...options, onEvent, signal: controller.signal });
    const isStopped = first.status === "cancelled";
    const last = isStopped ? await run(agent, [], options) : first;
    expect([place, last.status]).toEqual([place, "completed"]);
    await check(world, (await readSession(session)).messages);
    if (passed < place) return place - 1;
  }
}

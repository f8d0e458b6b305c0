import { run, type Agent, type Message, type RunEvent, type Session } from "skein";
import { memorySession, readSession } from "skein/sessions";
import { expect } from "vitest";

/** A run that begins in a world of its own, with a model that reads the history alone. */
export interface StoppedWorld {
  readonly agent: Agent;
}

/** Looks at the world once the run has come to its end, after all. */
type Check<W> = (world: W, messages: readonly Message[]) => void | Promise<void>;

/**
 * Runs the same over and over: stopped at its first event, at its second, and so on, at last not at all. Each time it is resumed to its
 * end. It is stopped by its signal, and once more as a crash does: nothing more is stored, whatever has been done.
 * @returns how many events there were.
 */
export async function stopAtEveryEvent<W extends StoppedWorld>(
  open: () => W | Promise<W>,
  check: Check<W>,
): Promise<number> {
  for (let place = 1; ; place += 1) {
    const passed = await stopAt(place, false, await open(), check);
    await stopAt(place, true, await open(), check);
    if (passed < place) return passed;
  }
}

async function stopAt<W extends StoppedWorld>(
  place: number,
  isCrash: boolean,
  world: W,
  check: Check<W>,
): Promise<number> {
  const stored = memorySession();
  const controller = new AbortController();
  let passed = 0;
  const isDead = (): boolean => isCrash && passed >= place;
  const session: Session = {
    ...stored,
    append: (entries) => (isDead() ? Promise.reject(new Error("crashed")) : stored.append(entries)),
  };
  const onEvent = (_: RunEvent): void => {
    passed += 1;
    if (passed === place) controller.abort();
  };
  const { agent } = world;
  const first = await run(agent, "Go.", { session, onEvent, signal: controller.signal, context: {} }).catch(
    () => undefined,
  );
  const { entries } = await stored.load();
  const isOver = first?.status === "completed" && !isDead();
  const last = isOver ? first : await run(agent, entries.length === 0 ? "Go." : [], { session: stored });
  expect([place, isCrash, last.status]).toEqual([place, isCrash, "completed"]);
  await check(world, (await readSession(stored)).messages);
  return passed;
}

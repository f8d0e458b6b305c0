/** One measurement of something; the figure is milliseconds, kilobytes, or whatever the row is about. */
export type Sample = () => number | Promise<number>;

const rounds = 7;

/**
 * The medians of seven samples of each, after one that is thrown away. They are taken in turn, so that whatever else the
 * machine does disturbs all of them alike.
 */
export async function medians<K extends string>(
  samples: Readonly<Record<K, Sample>>,
): Promise<(name: K) => number> {
  const taken = new Map<K, number[]>();
  for (let round = -1; round < rounds; round++) {
    for (const name in samples) {
      const figure = await samples[name]();
      if (round < 0) taken.set(name, []);
      else taken.get(name)?.push(figure);
    }
  }
  return (name) => median(taken.get(name) ?? []);
}

function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** How many milliseconds pass while `work` is done, on average of `times`. */
export function wallTime(work: () => Promise<unknown>, times: number): Promise<number> {
  return elapsed(() => performance.now(), work, times);
}

/**
 * How many milliseconds this thread computes for `work`, on average of `times`: what other processes do at the same time
 * does not count, and neither does waiting for them.
 */
export function computingTime(work: () => Promise<unknown>, times: number): Promise<number> {
  const clock = (): number => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  return elapsed(clock, work, times);
}

async function elapsed(clock: () => number, work: () => Promise<unknown>, times: number): Promise<number> {
  // What earlier samples left behind is not this one's to clear away. Of the young generation only: a full collection
  // takes compiled code with it whose objects are all gone, and what is measured then is the compiler.
  globalThis.gc?.({ type: "minor" });
  const startedAt = clock();
  for (let count = 0; count < times; count++) await work();
  return (clock() - startedAt) / times;
}

/** Reads everything and keeps nothing. */
export async function drain(events: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of events);
}

/**
 * The heap that each of so many runs takes while all of them wait, in kilobytes.
 * @param prepare makes what starts a run; a run waits where it calls `hold`, once.
 */
export async function heapInFlight(
  runs: number,
  prepare: (hold: () => Promise<void>) => () => Promise<unknown>,
): Promise<number> {
  const gate = Promise.withResolvers<void>();
  const everybodyWaits = Promise.withResolvers<void>();
  let waiting = 0;
  const start = prepare(() => {
    if (++waiting === runs) everybodyWaits.resolve();
    return gate.promise;
  });
  const before = heapUsed();
  const started = Array.from({ length: runs }, start);
  await everybodyWaits.promise;
  const after = heapUsed();
  gate.resolve();
  await Promise.all(started);
  return (after - before) / runs / 1000;
}

function heapUsed(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** One measurement of something; the figure is milliseconds, kilobytes, or whatever the row is about. */
export type Sample = () => number | Promise<number>;

const rounds = 9;

/** Rounds that are thrown away: until all that is used is compiled, it is compiling that is measured. */
const firstRounds = 5;

/** What was measured of each thing: its median by name, and how far the middle half of its samples lies apart. */
export interface Medians<K extends string> {
  (name: K): number;
  /** The quartiles, beside the medians of `floor` or of nothing: a ratio is taken of two samples that follow each other. */
  readonly quartiles: (name: K, floor?: K) => readonly [low: number, high: number];
}

/**
 * The medians of nine samples of each, after five that are thrown away. They are taken in turn, so that whatever else the
 * machine does disturbs all of them alike.
 */
export async function medians<K extends string>(samples: Readonly<Record<K, Sample>>): Promise<Medians<K>> {
  const taken = new Map<K, number[]>();
  for (let round = -firstRounds; round < rounds; round++) {
    for (const name in samples) {
      const figure = await samples[name]();
      if (round < 0) taken.set(name, []);
      else taken.get(name)?.push(figure);
    }
  }
  const figuresOf = (name: K): readonly number[] => taken.get(name) ?? [];
  const quartiles = (name: K, floor?: K): readonly [number, number] => {
    const floors = floor === undefined ? undefined : figuresOf(floor);
    const figures = figuresOf(name).map((figure, round) => figure / (floors?.[round] ?? 1));
    return [quantile(figures, 0.25), quantile(figures, 0.75)];
  };
  return Object.assign((name: K) => quantile(figuresOf(name), 0.5), { quartiles });
}

function quantile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((left, right) => left - right);
  return sorted[Math.round((sorted.length - 1) * share)] ?? Number.NaN;
}

/** How many milliseconds pass while `work` is done, on average of `times`. */
export function wallTime(work: () => Promise<unknown>, times: number): Promise<number> {
  return elapsed(() => performance.now(), work, times);
}

/**
 * How many milliseconds of processor time this process takes for `work`, on average of `times`: all of its threads, so that
 * collecting garbage and compiling count. What other processes do meanwhile does not, and neither does waiting for them.
 */
export function processorTime(work: () => Promise<unknown>, times: number): Promise<number> {
  const clock = (): number => {
    const { user, system } = process.cpuUsage();
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

const yardstick = JSON.stringify(
  Array.from({ length: 1_000 }, (_, index) => ({ index, text: `text ${index}` })),
);

/** How fast this machine is at the moment: milliseconds of processor time to read the same text of JSON a hundred times. */
export async function paceOfMachine(): Promise<number> {
  const read = async (): Promise<void> => {
    for (let count = 0; count < 100; count++) JSON.parse(yardstick);
  };
  return (await medians({ read: () => processorTime(read, 1) }))("read");
}

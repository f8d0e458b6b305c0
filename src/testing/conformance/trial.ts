import { startTimer } from "../../base/util/timer.ts";
import { errorMessage } from "../../base/util/error-message.ts";
import { watchProcess } from "./process.ts";
import { type Random, randomOf, seedFor } from "./random.ts";
import type { ConformanceFailure, ConformanceOptions, ConformanceReport } from "./report.ts";

/** What a check is made with. */
export interface Trial {
  readonly random: Random;
  readonly runs: number;
  /** Says what does not hold: of this check, or of another by its name. */
  readonly fail: (message: string, check?: string) => void;
  /** Waits no longer than the timeout. @throws Hung */
  readonly settled: <T>(promise: PromiseLike<T>, what: string) => Promise<T>;
}

/** One thing to be checked. */
export interface Check {
  readonly name: string;
  readonly run: (trial: Trial) => Promise<void>;
}

/** Something did not settle in time. */
export class Hung extends Error {}

/** After this number of hangs a check stops: each of them costs a whole timeout. */
export const mostHangs: number = 3;

/** The most failures reported of one check: the rest is more of the same. */
const mostOfOne = 3;

/** The longest message of a failure, in characters. */
const longestMessage = 1200;

/**
 * Makes the checks one after the other, and looks after each whether something was left behind.
 * @param options - `mayKeep`: whether something may be, such as the connections of a database.
 */
export async function makeChecks(
  subject: string,
  checks: readonly Check[],
  { seed = 1, runs = 20, timeout = 2000 }: ConformanceOptions,
  { mayKeep = false }: { readonly mayKeep?: boolean } = {},
): Promise<ConformanceReport> {
  const failures: ConformanceFailure[] = [];
  const fail = (check: string, message: string): void => {
    const isKnown = failures.some((failure) => failure.check === check && failure.message === message);
    if (isKnown || failures.filter((failure) => failure.check === check).length >= mostOfOne) return;
    failures.push({ check, message: message.slice(0, longestMessage), seed });
  };
  for (const { name, run } of checks) {
    const watched = watchProcess();
    try {
      await run({
        random: randomOf(seedFor(seed, name)),
        runs,
        fail: (message, check = name) => fail(check, message),
        settled: (promise, what) => settled(promise, what, timeout),
      });
    } catch (error) {
      fail(name, errorMessage(error));
    }
    const { rejections, pending } = await watched.end();
    for (const reason of rejections)
      fail("unhandled-rejections", `During "${name}": ${errorMessage(reason)}`);
    if (pending.length > 0 && !mayKeep)
      fail("pending", `After "${name}", still there: ${pending.join(", ")}.`);
  }
  return { subject, passed: failures.length === 0, failures, checks: checks.map(({ name }) => name) };
}

async function settled<T>(promise: PromiseLike<T>, what: string, timeout: number): Promise<T> {
  let stop = (): void => {};
  const late = new Promise<never>((_, reject) => {
    stop = startTimer(() => reject(new Hung(`${what} did not settle within ${timeout} ms.`)), timeout);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    stop();
  }
}

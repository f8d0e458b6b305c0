import { GuardError } from "../errors.ts";
import { safeMessage } from "../base/util/error-message.ts";
import { onAbort } from "../base/util/on-abort.ts";
import { startTimer } from "../base/util/timer.ts";
import { unlessAborted } from "../base/util/unless-aborted.ts";
import { withoutSecrets } from "../model/secrets.ts";
import type { StepInfo } from "../tool/step-middleware.ts";
import type { Judged } from "./checks.ts";
import { type CheckPlace, type Decision, readVerdict } from "./verdict.ts";

/** What the step around a check says of it. */
type Step = Pick<StepInfo, "agent" | "context" | "signal" | "count">;

/**
 * The verdict of a check.
 * @param judged - What it gets, beside what every check does.
 * @throws GuardError if it throws, takes too long, or returns what is not a verdict; the signal's reason once that is aborted.
 */
export async function decide<J extends Judged>(
  check: (judged: J) => unknown,
  judged: Omit<J, Exclude<keyof Judged, "text">>,
  { agent, context, signal, count }: Step,
  checkPlace: CheckPlace,
): Promise<Decision> {
  const { guard, stage, timeout } = checkPlace;
  signal.throwIfAborted();
  const over = new AbortController();
  const place = `The check \`${stage}\` of the guard "${guard}"`;
  const late = new GuardError(`${place} did not finish within ${timeout} ms.`, { data: { guard, stage } });
  const stopTimer = startTimer(() => over.abort(late), timeout);
  const stopWaiting = onAbort(signal, () => over.abort(signal.reason));
  const shared: Judged = {
    text: "",
    agent,
    context,
    signal: over.signal,
    count: ({ modelCalls }) => count(modelCalls),
  };
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- both halves of the type, put together
    const whole = { ...shared, ...judged } as unknown as J;
    const verdict: unknown = await unlessAborted((async () => check(whole))(), over.signal);
    return readVerdict(verdict, checkPlace);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof GuardError) throw error;
    const cause = withoutSecrets(error);
    throw new GuardError(`${place} failed: ${safeMessage(error)}`, { data: { guard, stage }, cause });
  } finally {
    stopTimer();
    stopWaiting();
    // What is still under way for a verdict that nobody waits for.
    over.abort();
  }
}

import { safeMessage } from "../../base/util/error-message.ts";
import { isPromiseLike } from "../../base/util/promise-like.ts";
import { LazySignal, settle } from "../settle.ts";

/** Milliseconds that a function among a tool's policies may take. */
const longest = 60_000;

/**
 * What a function among a tool's policies says; `undefined` if it throws or takes longer than a minute.
 * @param failure begins the message passed to `warn`.
 * @throws the signal's reason if that is aborted.
 */
export async function askPolicy(
  ask: () => unknown,
  failure: string,
  warn: (message: string) => void,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  try {
    const answer = ask();
    if (!isPromiseLike(answer)) return answer;
    const settled = await settle(answer, new LazySignal(), longest, signal);
    if (settled.kind === "value") return settled.value;
    if (settled.kind === "error") throw settled.error;
    if (settled.kind === "timeout") warn(`${failure}: no answer within ${longest} ms`);
  } catch (error) {
    warn(`${failure}: ${safeMessage(error)}`);
  }
  signal?.throwIfAborted();
  return undefined;
}

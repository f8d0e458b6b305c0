import { safeMessage } from "../../base/util/error-message.ts";
import { isPromiseLike } from "../../base/util/promise-like.ts";
import type { Tool } from "../../tool/types.ts";
import { defaultTimeout } from "../perform-tool.ts";
import { LazySignal, settle } from "../settle.ts";

/**
 * What a function among a tool's policies says; `undefined` if it throws, or takes longer than a call of the tool may.
 * @param failure begins the message passed to `warn`.
 * @throws the signal's reason if that is aborted.
 */
export async function askPolicy(
  { policy: { timeout = defaultTimeout } }: Tool,
  ask: () => unknown,
  failure: string,
  warn: (message: string) => void,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  try {
    const answer = ask();
    if (!isPromiseLike(answer)) return answer;
    const settled = await settle(answer, new LazySignal(), timeout, signal);
    if (settled.kind === "value") return settled.value;
    if (settled.kind === "error") throw settled.error;
    if (settled.kind === "timeout") warn(`${failure}: no answer within ${timeout} ms`);
  } catch (error) {
    warn(`${failure}: ${safeMessage(error)}`);
  }
  signal?.throwIfAborted();
  return undefined;
}

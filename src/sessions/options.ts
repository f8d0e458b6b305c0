import { assertKnownOptions, describeValue, invalidOption } from "../base/options/known-options.ts";
import type { Session } from "../run/session/session.ts";

/** The options of every session. */
export interface SessionOptions {
  /**
   * What a run does while another one holds the session: `"reject"`, by default, ends it with a `SessionBusyError`; `"wait"` has it
   * begin when the other has ended.
   */
  readonly busy?: Session["busy"];
}

const names = { busy: true } satisfies Record<keyof SessionOptions, true>;

/**
 * Checks the options of a session.
 * @param place - The function that was called, such as `memorySession()`.
 * @throws ConfigurationError (`invalid-option`)
 */
export function assertSessionOptions(
  options: SessionOptions,
  place: string,
  allowed: Readonly<Record<string, true>> = names,
): void {
  assertKnownOptions(options, allowed, place);
  const { busy } = options;
  if (busy === undefined || busy === "reject" || busy === "wait") return;
  throw invalidOption(`The option busy of ${place} must be "reject" or "wait", not ${describeValue(busy)}.`, {
    option: "busy",
  });
}

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

/** The options of a session on a disk. */
export interface StoredSessionOptions extends SessionOptions {
  /**
   * With `"full"`, the default, entries are on the disk before the run goes on: they survive a power failure. With `"normal"` the
   * operating system writes them a little later: they survive the end of the process, and each append is faster.
   */
  readonly synchronous?: "full" | "normal" | undefined;
}

const choices = {
  busy: ["reject", "wait"],
} satisfies Record<keyof SessionOptions, readonly string[]>;

const storedChoices = {
  ...choices,
  synchronous: ["full", "normal"],
} satisfies Record<keyof StoredSessionOptions, readonly string[]>;

/** @throws ConfigurationError (`invalid-option`) for an option of `memorySession()` that is wrong. */
export function assertSessionOptions(options: SessionOptions): void {
  assertChoices(options, choices, "memorySession()");
}

/**
 * Checks the options of a session on a disk.
 * @param place - The function that was called, such as `fileSession()`.
 * @throws ConfigurationError (`invalid-option`)
 */
export function assertStoredOptions(options: StoredSessionOptions, place: string): void {
  assertChoices(options, storedChoices, place);
}

function assertChoices(
  options: object,
  allowed: Readonly<Record<string, readonly string[]>>,
  place: string,
): void {
  assertKnownOptions(options, allowed, place);
  for (const [name, value] of Object.entries(options)) {
    const values = allowed[name] ?? [];
    if (value === undefined || values.includes(value)) continue;
    const expected = values.map((each) => JSON.stringify(each)).join(" or ");
    throw invalidOption(`The option ${name} of ${place} must be ${expected}, not ${describeValue(value)}.`, {
      option: name,
    });
  }
}

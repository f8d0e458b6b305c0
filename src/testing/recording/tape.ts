import { SkeinError } from "../../errors.ts";
import type { JsonValue } from "../../base/util/json.ts";
import { describeDifferences, differences } from "./differences.ts";

/** The exchanges of a recording, each to be taken once. */
export interface Tape<T> {
  /**
   * The next exchange of that request.
   * @throws SkeinError (`replay-mismatch`, `replay-exhausted`)
   */
  take(current: JsonValue): T;
  /** @throws SkeinError (`recording-incomplete`) */
  assertComplete(): void;
  /** The error for a reader who continues where the recording ends. */
  leftHere(): SkeinError;
}

const howToRecord =
  "If the program is right, record it again: record(), or SKEIN_RECORD=1 where recorded() is used. What differs each time (a date, a port) belongs in ignore.";

/** Exchanges in their order; `requestOf` says what of each is compared. */
export function tapeOf<T>(
  exchanges: readonly T[],
  requestOf: (exchange: T) => JsonValue,
  file: string,
  ignore: readonly string[] = [],
): Tape<T> {
  const left = new Map(exchanges.entries());
  const failure = (message: string, code: string, data = {}): SkeinError =>
    new SkeinError(message, { code, data: { file, ...data } });
  let requestCount = 0;
  return {
    take(current) {
      requestCount++;
      for (const [place, exchange] of left) {
        if (!differences(requestOf(exchange), current, ignore).next().done) continue;
        left.delete(place);
        return exchange;
      }
      const [next] = left;
      if (!next) {
        const message = `${file} has ${exchanges.length} exchanges, and this is request ${requestCount}. ${howToRecord}`;
        throw failure(message, "replay-exhausted", { request: requestCount });
      }
      const [place, exchange] = next;
      const difference = describeDifferences(differences(requestOf(exchange), current, ignore));
      const message = `Request ${requestCount} is not one of those left in ${file}. Compared with exchange ${place + 1} (line ${place + 2}):\n${difference}\n${howToRecord}`;
      throw failure(message, "replay-mismatch", { request: requestCount, exchange: place + 1 });
    },
    assertComplete() {
      if (left.size === 0) return;
      const places = [...left.keys()].slice(0, 10).map((place) => place + 1);
      const message = `${left.size} of ${exchanges.length} exchanges in ${file} were never requested: ${places.join(", ")}. ${howToRecord}`;
      throw failure(message, "recording-incomplete", { left: left.size });
    },
    leftHere: () =>
      failure(`The answer in ${file} ends where its reader left. ${howToRecord}`, "replay-exhausted"),
  };
}

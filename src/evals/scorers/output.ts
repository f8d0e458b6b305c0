import { toJson } from "../../base/util/to-json.ts";
import { describeExpected, type ExpectedValue, isExpected } from "../expectations.ts";
import type { Scorer } from "../types.ts";
import { scorer, verdict } from "./verdict.ts";

/** The typed output is as expected: an object has at least these properties. */
export function outputIs(expected: ExpectedValue): Scorer {
  return scorer("output", ({ output }) =>
    verdict(
      isExpected(expected, output),
      () =>
        `expected ${describeExpected(expected)}, got ${output === undefined ? "none" : JSON.stringify(toJson(output).value)}`,
    ),
  );
}

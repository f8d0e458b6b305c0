import { canonicalJson } from "../../base/util/canonical-json.ts";
import { isPlainObject, type JsonValue } from "../../base/util/json.ts";
import { toJson } from "../../base/util/to-json.ts";
import type { ExpectedState, Scorer } from "../types.ts";
import { immediate } from "../../base/util/callbacks.ts";
import { promiseRefused } from "../expectations.ts";
import { scorer, verdict } from "./verdict.ts";

/** The most differences that a reason names. */
const mostNamed = 5;

/** What the run may have changed is, at the end, exactly as expected; or a function of it, and of what it was before, says so. */
export function stateIs(expected: ExpectedState): Scorer {
  return scorer("state", ({ state }) => {
    if (!state) return { score: 0, pass: false, reason: "there is no state: the evaluation has no `state`" };
    const { before, after } = state;
    if (typeof expected === "function")
      return verdict(immediate(expected(after, before), promiseRefused), () => "the state is not right");
    const wanted = toJson(expected).value;
    return verdict(canonicalJson(wanted) === canonicalJson(after), () => different(wanted, after));
  });
}

/** The run has changed nothing. */
export function stateUnchanged(): Scorer {
  return stateIs((after, before) => canonicalJson(after) === canonicalJson(before));
}

function different(wanted: JsonValue, got: JsonValue): string {
  const differences: string[] = [];
  compare(wanted, got, "$", differences);
  return differences.join("; ");
}

function compare(wanted: unknown, got: unknown, path: string, differences: string[]): void {
  if (differences.length >= mostNamed || canonicalJson(wanted) === canonicalJson(got)) return;
  const isDeeper =
    (isPlainObject(wanted) && isPlainObject(got)) ||
    (Array.isArray(wanted) && Array.isArray(got) && wanted.length === got.length);
  if (!isDeeper) {
    differences.push(`${path}: expected ${formatValue(wanted)}, got ${formatValue(got)}`);
    return;
  }
  const [left, right] = [new Map(Object.entries(wanted)), new Map(Object.entries(got))];
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    const place = Array.isArray(wanted) ? `${path}[${key}]` : `${path}.${key}`;
    compare(left.get(key), right.get(key), place, differences);
  }
}

function formatValue(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value).slice(0, 200);
}

import { GuardError } from "../errors.ts";
import type { BlockReason } from "../message/run-state.ts";
import { describeValue } from "../base/options/known-options.ts";
import { isPlainObject } from "../base/util/json.ts";

/**
 * What a check says: nothing, or `true`, lets pass; a text, the reason, blocks the run. No client sees the reason; the user reads `message`,
 * which becomes the text of the run.
 */
export type Verdict =
  | true
  | undefined
  | void
  | string
  | {
      readonly block: string;
      readonly message?: string;
    };

/** What a check of a call, or of its result, says: `deny` is what the model reads in place of the result, and the run goes on. */
export type CallVerdict = Verdict | { readonly deny: string };

/** A verdict, read. */
export type Decision =
  | { readonly kind: "pass" }
  | { readonly kind: "deny"; readonly text: string }
  | { readonly kind: "block"; readonly reason: BlockReason };

/** Which check of a guard is asked, and how long it may take. */
export interface CheckPlace {
  readonly guard: string;
  readonly stage: BlockReason["stage"];
  readonly message: string | undefined;
  readonly timeout: number;
}

/** The longest reason, and the longest message, that a state keeps, in characters. */
const longestText = 2_000;

const pass: Decision = { kind: "pass" };

/**
 * Reads what a check returned.
 * @throws GuardError for what is not a verdict: nobody knows what it was to mean.
 */
export function readVerdict(verdict: unknown, place: CheckPlace): Decision {
  if (verdict === undefined || verdict === true) return pass;
  if (isText(verdict)) return block(place, verdict);
  if (!isPlainObject(verdict)) throw notVerdict(verdict, place);
  const { block: reason, message, deny, ...others } = verdict;
  const canDeny = place.stage === "tool" || place.stage === "result";
  if (Object.keys(others).length > 0) throw notVerdict(verdict, place);
  if (isText(deny) && canDeny && reason === undefined && message === undefined)
    return { kind: "deny", text: deny };
  if (!isText(reason) || deny !== undefined) throw notVerdict(verdict, place);
  if (message !== undefined && typeof message !== "string") throw notVerdict(verdict, place);
  return block(place, reason, message);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function block(
  { guard, stage, message: usual }: CheckPlace,
  reason: string,
  message: string | undefined = usual,
): Decision {
  const bounded = { guard, stage, reason: reason.slice(0, longestText) };
  if (message === undefined) return { kind: "block", reason: bounded };
  return { kind: "block", reason: { ...bounded, message: message.slice(0, longestText) } };
}

function notVerdict(verdict: unknown, { guard, stage }: CheckPlace): GuardError {
  const fields = isPlainObject(verdict) ? ` with ${Object.keys(verdict).join(", ") || "nothing"}` : "";
  const deny = stage === "tool" || stage === "result" ? ", or { deny: text for the model }" : "";
  return new GuardError(
    `The check \`${stage}\` of the guard "${guard}" returned ${describeValue(verdict)}${fields}, which is not a verdict. Return undefined to let pass, a reason to block, { block: reason, message: text for the user }${deny}.`,
    { data: { guard, stage } },
  );
}

import type { ExpectedText } from "../expectations.ts";
import type { Scorer } from "../types.ts";
import { scorer, verdict } from "./verdict.ts";

/** The last answer is this text, but for white space around it. */
export function textEquals(expected: string): Scorer {
  return scorer("text", ({ text }) => verdict(text.trim() === expected.trim(), () => wanted(expected, text)));
}

/** The last answer contains this text, whatever the case of its letters. */
export function textContains(expected: string): Scorer {
  const wish = expected.toLowerCase();
  return scorer("text", ({ text }) =>
    verdict(text.toLowerCase().includes(wish), () => wanted(expected, text)),
  );
}

/** The last answer matches. */
export function textMatches(expected: RegExp): Scorer {
  return scorer("text", ({ text }) => verdict(text.search(expected) >= 0, () => wanted(expected, text)));
}

/** What `text` of a case says: each text is contained, each expression matches. */
export function textScorers(expected: ExpectedText): readonly Scorer[] {
  const all = typeof expected === "string" || expected instanceof RegExp ? [expected] : expected;
  return all.map((each) => (typeof each === "string" ? textContains(each) : textMatches(each)));
}

function wanted(expected: string | RegExp, text: string): string {
  return `expected ${typeof expected === "string" ? JSON.stringify(expected) : String(expected)} in ${JSON.stringify(text.slice(0, 500))}`;
}

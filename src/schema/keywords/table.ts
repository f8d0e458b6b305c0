import type { Keywords } from "../check.ts";
import { arrayKeywords } from "./arrays.ts";
import { combinationKeywords } from "./combinations.ts";
import { limitKeywords } from "./limits.ts";
import { objectKeywords } from "./objects.ts";
import { referenceKeywords } from "./references.ts";
import { stringKeywords } from "./strings.ts";
import { unevaluatedKeywords } from "./unevaluated.ts";
import { constKeyword, enumKeyword, typeKeyword } from "./values.ts";

/** How many stages say what kind of value is wanted. */
export const decisive = 3;

/**
 * All keywords, in the order in which their issues are listed; what is not here is ignored. Where one of a stage fails,
 * the stages after it do not run.
 */
export const stages: readonly Keywords[] = [
  constKeyword,
  enumKeyword,
  typeKeyword,
  {
    ...referenceKeywords,
    ...objectKeywords,
    ...arrayKeywords,
    ...limitKeywords,
    ...stringKeywords,
    ...combinationKeywords,
  },
  // These speak of what the others left over, and rely on their having passed.
  unevaluatedKeywords,
];

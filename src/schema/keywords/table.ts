import type { Keywords } from "../check.ts";
import { arrayKeywords } from "./arrays.ts";
import { combinationKeywords } from "./combinations.ts";
import { formatKeywords } from "./formats.ts";
import { numberKeywords } from "./numbers.ts";
import { objectKeywords } from "./objects.ts";
import { referenceKeywords } from "./references.ts";
import { stringKeywords } from "./strings.ts";
import { valueKeywords } from "./values.ts";

/** The keywords that say what kind of value is wanted: where one fails, nothing else is said of the value. */
export const decisive: Keywords = valueKeywords;

/** All other keywords, in the order in which their issues are listed. What is not here is ignored. */
export const keywords: Keywords = {
  ...referenceKeywords,
  ...objectKeywords,
  ...arrayKeywords,
  ...numberKeywords,
  ...stringKeywords,
  ...formatKeywords,
  ...combinationKeywords,
};

import type { ToolSpec } from "../../model/types.ts";
import { toolStems } from "./fill-arguments.ts";
import { isEmptyWord, isWeakStem, sentenceWords, stem, synonymsOf } from "./vocabulary.ts";

/** The thing that a user asks for: "umbrellas" in "Do you have any umbrellas?". */
const questions: readonly RegExp[] = [
  /\b(?:do|have) you (?:have|got|sell|stock|carry|offer)\s+(.+)/iu,
  /\b(?:is|are) there\s+(.+)/iu,
  /\bhow much (?:is|are|does|do)\s+(.+)/iu,
  /\b(?:price|cost)s? of\s+(.+)/iu,
  /\bwhat (?:does|do)\s+(.+?)\s+cost\b/iu,
  /\b(?:looking for|show me)\s+(.+)/iu,
];

/**
 * What the user asks for by name, if nothing of it is in the answer: `"umbrellas"`.
 * @param answer - The result of the tool, in words.
 */
export function absentThing(request: string, tool: ToolSpec, answer: string): string | undefined {
  const phrase = questions.map((question) => question.exec(request)?.[1]).find((each) => each !== undefined);
  if (phrase === undefined) return undefined;
  const [clause = ""] = phrase.split(
    /[.,;:!?\n]|\b(?:in|for|at|on|from|with|than|cost|left|here|available)\b/iu,
  );
  const words = clause.match(/[\p{L}\p{N}'’-]+/gu)?.filter((word) => !isEmptyWord(word.toLowerCase())) ?? [];
  const ownStems = toolStems(tool);
  // A request for what the tool lists ("show me your products") asks for nothing in particular.
  if (words.length === 0 || words.length > 3) return undefined;
  const forms = words.map((word) => stem(word.toLowerCase()));
  if (forms.some((form) => ownStems.has(form) || isWeakStem(form))) return undefined;
  const present = new Set(sentenceWords(answer).map(stem));
  const isPresent = forms.some((form) => synonymsOf(form).some((each) => present.has(each)));
  return isPresent ? undefined : words.join(" ");
}

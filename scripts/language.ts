import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * How the project is worded: what users, models and contributors read is plain English. This table is what
 * `test/language.test.ts` and `npm run lint` hold code, comments, messages and pages to.
 */

/** A turn of phrase that readers have to read twice, and what to write. */
interface Phrase {
  readonly pattern: RegExp;
  readonly instead: string;
  /** Where it counts: everywhere if not set; where texts are about values, not about customers; in titles of tests alone. */
  readonly only?: "values" | "titles";
}

// Words may stand on two lines of a comment: `wordsOf` makes spaces of what is between them.
const phrases: readonly Phrase[] = [
  {
    pattern: /(?<!\b(?:there|here) +)\b(?:is|are|was|were) +no +(?!longer\b|more\b|less\b|fewer\b)[a-z]+/gi,
    instead: '"must be a ..." or "is not a ..."',
  },
  {
    pattern: /\bthere +(?:is|are|was|were) +not\b(?! +(?:an?|any|enough|much|many|too|one|yet|always)\b)/gi,
    instead: '"an unknown ..." or "there is no ..."',
  },
  { pattern: /\bshall\b(?! +(?:i|we|should)\b)/gi, instead: '"must", "should" or "will"' },
  { pattern: /\b(?:anew|amid|amidst)\b/gi, instead: '"again", "among" or "during"' },
  { pattern: /\bwho(?:so|m)?ever\b/gi, instead: 'who it is: "the caller", "a program that ..."' },
  { pattern: /\bso +many\b(?! +[^.,;:]{1,60}\bthat\b)/gi, instead: 'the number: "at most `limit` ..."' },
  { pattern: /(?<!\bthere +)\b(?:is|are|was|were) +none +of\b/gi, instead: '"is not one of"' },
  { pattern: /\bbeside +that\b(?! +[a-z])/gi, instead: '"also", "in addition" or "as well"' },
  {
    pattern: /\b(?:can|cannot|could|may) +be +meant\b/gi,
    instead: '"is valid", "makes sense" or "is ambiguous"',
  },
  { pattern: /\b(?:can|cannot|could|to) +be +had\b/gi, instead: '"is available" or "can be obtained"' },
  {
    pattern:
      /(?<!\bI +)\b(?:is|are|was|were|be|been|being) +(?:(?!to\b)[a-z]+ +)?(?:told|heard)\b(?! +(?:[a-z]+ +)?apart\b)/gi,
    instead: '"the model sees", "is reported", "receives" or "is shown"',
    only: "values",
  },
  {
    pattern: /\b(?:is|are) +(?:also +|not +|only +)?said\b/gi,
    instead: '"is stated", "is reported" or what says it',
    only: "values",
  },
  {
    pattern: /\bcan(?:not)? +be +told\b(?! +apart\b)/gi,
    instead: '"is known", "can be determined" or "the options of"',
    only: "values",
  },
  { pattern: /\bhears\b/gi, instead: '"receives" or "is notified"', only: "values" },
  { pattern: /\b(?:gives|gave) +back\b/gi, instead: '"returns"', only: "values" },
  {
    pattern: /\b(?:nobody|somebody|everybody)\b/gi,
    instead: 'who it is: "no caller", "a person", "all readers"',
    only: "titles",
  },
  {
    pattern:
      /\b(?:says +so|gives? +back|so +(?:does|do)\b(?= +(?:a|an|the|one|what)\b)|is +given\b(?! +up))/gi,
    instead: 'what happens: "warns", "returns", "receives"',
    only: "titles",
  },
];

/** Participles that say what happened to a value, not what it is: a `match` was found, an `entry` was kept. */
export const vagueNames: readonly string[] = [
  "asked",
  "begun",
  "found",
  "given",
  "gone",
  "heard",
  "held",
  "kept",
  "known",
  "made",
  "meant",
  "met",
  "noted",
  "said",
  "seen",
  "sent",
  "shown",
  "spoken",
  "taken",
  "told",
  "written",
];

/** The files and folders whose wording is held to the table. */
const plainlyWorded: readonly string[] = [
  ".changeset",
  "CONTRIBUTING.md",
  "README.md",
  "docs",
  "examples",
  "scripts",
  "src",
];

/** Texts of people who write to agents, and what agents answer: in these, a customer may be told something. */
const conversations = /^examples\/|\.test(?:-d)?\.ts$|\/fixtures\//;

/** What is wrong with the wording of a text: `path:line`, the phrase, and what to write. */
export function checkWording(path: string, text: string): string[] {
  const rules = phrases.filter(({ only }) => !only || (only === "values" && !conversations.test(path)));
  return findPhrases(rules, path, text, wordsOf(text));
}

const titleStart = /(?:\b(?:test|it|describe)(?:\.\w+(?:\([^()]*\))?)*|\](?:\s+as const)?\))\(\s*(?=["'`])/
  .source;
const titleText = /(["'`])(?:\\.|(?!\1)[^\\])*\1/.source;
const titles = new RegExp(`(?<=${titleStart})${titleText}`, "g");

/** The same for the titles of a file's tests, which state what the code does. */
export function checkTitles(path: string, text: string): string[] {
  return [...text.matchAll(titles)].flatMap(({ 0: title, index }) =>
    findPhrases(phrases, path, text, " ".repeat(index) + title),
  );
}

/** @param words - The part of the text that counts, every character at its place. */
function findPhrases(rules: readonly Phrase[], path: string, text: string, words: string): string[] {
  return rules.flatMap(({ pattern, instead }) =>
    [...words.matchAll(pattern)].map((match) => {
      const line = text.slice(0, match.index).split("\n").length;
      return `${path}:${line}: "${match[0].replaceAll(/\s+/g, " ")}": write ${instead}`;
    }),
  );
}

/** The text with spaces for line ends and what begins the next line of a comment: nothing else moves. */
function wordsOf(text: string): string {
  return text.replaceAll(/\n[ \t]*(?:\*(?!\/)|\/\/)?/g, (gap) => " ".repeat(gap.length));
}

/** Checks every file of the plainly worded folders. Sentences stand in source, prose and data of examples alike. */
export function checkFiles(root: string): string[] {
  const pattern = "{*.md,**/*.{ts,tsx,mts,js,mjs,md,json,yaml}}";
  const read = (path: string): string => readFileSync(root + path, "utf8");
  const titlesOfTests = ["src", "test"]
    .flatMap((place) =>
      globSync(`${place}/**/*.test{,-d}.ts`, { cwd: root, exclude: ["**/.work/**", "**/node_modules/**"] }),
    )
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path !== "test/language.test.ts")
    .flatMap((path) => checkTitles(path, read(path)));
  const texts = plainlyWorded
    .flatMap((place) =>
      /\w\.\w+$/.test(place)
        ? [place]
        : globSync(pattern, { cwd: root + place }).map((file) => `${place}/${file}`),
    )
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path !== "scripts/language.ts" && !/(?:^|\/)(?:node_modules|dist)\//.test(path))
    .flatMap((path) => checkWording(path, read(path)));
  return [...new Set([...texts, ...titlesOfTests])];
}

if (import.meta.main) {
  const problems = checkFiles(fileURLToPath(new URL("../", import.meta.url)));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}

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
  "src/agent",
  "src/base",
  "src/check",
  "src/cli",
  "src/connectors",
  "src/errors.ts",
  "src/evals",
  "src/executor",
  "src/index.ts",
  "src/lock",
  "src/message",
  "src/model",
  "src/run",
  "src/schema",
  "src/sessions",
  "src/sources",
  "src/testing",
  "src/tool",
];

/** The folders that oxlint.config.ts holds to `vagueNames`. */
export const plainlyNamed: readonly string[] = [
  "src/agent",
  "src/base",
  "src/check",
  "src/cli",
  "src/connectors",
  "src/evals",
  "src/executor",
  "src/lock",
  "src/message",
  "src/model",
  "src/run",
  "src/schema",
  "src/sessions",
  "src/sources",
  "src/testing",
  "src/tool",
];

/** What is wrong with the wording of a text: `path:line`, the phrase, and what to write. */
export function checkWording(path: string, text: string): string[] {
  const words = wordsOf(text);
  return phrases.flatMap(({ pattern, instead }) =>
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
  return plainlyWorded
    .flatMap((place) =>
      /\w\.\w+$/.test(place)
        ? [place]
        : globSync(pattern, { cwd: root + place }).map((file) => `${place}/${file}`),
    )
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path !== "scripts/language.ts" && !/(?:^|\/)(?:node_modules|dist)\//.test(path))
    .flatMap((path) => checkWording(path, readFileSync(root + path, "utf8")));
}

if (import.meta.main) {
  const problems = checkFiles(fileURLToPath(new URL("../", import.meta.url)));
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}

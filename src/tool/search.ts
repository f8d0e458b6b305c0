import MiniSearch from "minisearch";
import { isPlainObject } from "../base/util/json.ts";
import { memoize } from "../base/util/memoize.ts";
import { isUnspacedCharacter, queryWords, wordsOf } from "./search-words.ts";
import type { Tool } from "./types.ts";

/** Words that every description has, and that say nothing of a tool. */
const stopWords = new Set(
  "a an and any are as at be by can do for from how i in is it its me my of on or that the this to what which with you".split(
    " ",
  ),
);

/** What of a tool is searched, and how much a word found there counts. */
const boosts = { name: 4, tags: 3, description: 2, parameters: 1 };

interface Entry {
  readonly id: number;
  readonly name: string;
  readonly tags: string;
  readonly description: string;
  readonly parameters: string;
}

/** The tools that fit a query best by BM25, the best first, at most `limit`. The index of a list is made once. */
export function searchTools(tools: readonly Tool[], query: string, limit: number): readonly Tool[] {
  const index = indexOf(tools);
  const text = query.slice(0, longestQuery);
  const exact = index.search(text);
  // Misspelt words are looked for only where nothing else is found: it takes many times as long.
  const matches =
    exact.length > 0 ? exact : index.search(text, { fuzzy: (term) => (term.length > 4 ? 0.2 : false) });
  return matches.slice(0, limit).flatMap(({ id }) => tools[Number(id)] ?? []);
}

/** Characters of a query that are looked at: a model may write any length. */
const longestQuery = 500;

const indexOf = memoize((tools: readonly Tool[]): MiniSearch<Entry> => {
  const index = new MiniSearch<Entry>({
    fields: Object.keys(boosts),
    tokenize: wordsOf,
    processTerm: (term) => (stopWords.has(term) ? null : term),
    searchOptions: {
      boost: boosts,
      tokenize: queryWords,
      prefix: (term) => term.length > 3 || isUnspacedCharacter(term),
    },
  });
  index.addAll(tools.map(entryOf));
  return index;
});

function entryOf({ name, description = "", annotations, inputSchema }: Tool, id: number): Entry {
  const { properties } = inputSchema.jsonSchema;
  const parameters = isPlainObject(properties) ? Object.entries(properties) : [];
  return {
    id,
    name,
    tags: annotations.tags?.join(" ") ?? "",
    description,
    parameters: parameters.map(([key, schema]) => `${key} ${descriptionOf(schema)}`).join(" "),
  };
}

function descriptionOf(schema: unknown): string {
  return isPlainObject(schema) && typeof schema.description === "string" ? schema.description : "";
}

import MiniSearch from "minisearch";
import { isPlainObject } from "../util/json.ts";
import type { Tool } from "./types.ts";

/** What of a tool is searched, and how much a word found there counts. */
const boosts = { name: 4, tags: 3, description: 2, parameters: 1 };

interface Entry {
  readonly id: number;
  readonly name: string;
  readonly tags: string;
  readonly description: string;
  readonly parameters: string;
}

const indexes = new WeakMap<readonly Tool[], MiniSearch<Entry>>();

/** The tools that fit a query best by BM25, the best first, at most `limit`. The index of a list is made once. */
export function searchTools(tools: readonly Tool[], query: string, limit: number): readonly Tool[] {
  const index = indexes.get(tools) ?? indexOf(tools);
  indexes.set(tools, index);
  return index
    .search(query.slice(0, longestQuery))
    .slice(0, limit)
    .flatMap(({ id }) => tools[Number(id)] ?? []);
}

/** Characters of a query that are looked at: a model may write any length. */
const longestQuery = 500;

function indexOf(tools: readonly Tool[]): MiniSearch<Entry> {
  const index = new MiniSearch<Entry>({
    fields: Object.keys(boosts),
    tokenize: words,
    searchOptions: {
      boost: boosts,
      prefix: (term) => term.length > 3,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    },
  });
  index.addAll(tools.map(entryOf));
  return index;
}

function entryOf({ name, description = "", annotations, inputSchema }: Tool, id: number): Entry {
  const { properties } = inputSchema.jsonSchema;
  const parameters = isPlainObject(properties) ? Object.entries(properties) : [];
  return {
    id,
    name,
    tags: (annotations.tags ?? []).join(" "),
    description,
    parameters: parameters.map(([key, schema]) => `${key} ${descriptionOf(schema)}`).join(" "),
  };
}

function descriptionOf(schema: unknown): string {
  return isPlainObject(schema) && typeof schema.description === "string" ? schema.description : "";
}

/** Words and the parts of compound names: `getWeather`, `get_weather` and `get weather` are alike. */
function words(text: string): string[] {
  return text
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}

import MiniSearch from "minisearch";
import { queryWords, wordsOf } from "../../../tool/search-words.ts";
import { MemoryError } from "./errors.ts";
import { excerptOf } from "./excerpt.ts";
import type { MemoryHit, MemoryStore } from "./memory-store.ts";

/** What a search has found. */
export interface SearchOutcome {
  readonly hits: readonly MemoryHit[];
  /** Why files were not searched, a sentence each. */
  readonly problems: readonly string[];
}

/** Searches all files of an owner, for stores without a search of their own. */
export async function searchFiles(
  store: MemoryStore,
  owner: string,
  query: string,
  limit: number,
): Promise<SearchOutcome> {
  const files = await store.list(owner);
  const problems: string[] = [];
  const texts = await Promise.all(
    files.map(({ path }) =>
      store.read(owner, path).catch((error: unknown) => {
        // A person has put it there.
        if (!(error instanceof MemoryError)) throw error;
        problems.push(error.message);
        return "";
      }),
    ),
  );
  const index = new MiniSearch<{ readonly id: number; readonly path: string; readonly text: string }>({
    fields: ["path", "text"],
    tokenize: wordsOf,
    processTerm: (term) => term,
    searchOptions: { boost: { path: 4 }, prefix: true, tokenize: queryWords },
  });
  index.addAll(files.map(({ path }, id) => ({ id, path, text: texts[id] ?? "" })));
  const words = queryWords(query);
  const hits = index
    .search(query)
    .slice(0, limit)
    .flatMap(({ id }): readonly MemoryHit[] => {
      const file = files[Number(id)];
      return file ? [{ path: file.path, excerpt: excerptOf(texts[Number(id)] ?? "", words) }] : [];
    });
  return { hits, problems };
}

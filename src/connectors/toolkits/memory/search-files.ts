import MiniSearch from "minisearch";
import { MemoryError } from "./errors.ts";
import type { MemoryHit, MemoryStore } from "./memory-store.ts";

/** Characters of an excerpt before and behind the first word that fits. */
const before = 60;
const behind = 140;

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
    searchOptions: { boost: { path: 4 }, prefix: true },
  });
  index.addAll(files.map(({ path }, id) => ({ id, path, text: texts[id] ?? "" })));
  const hits = index
    .search(query)
    .flatMap(({ id, terms }): readonly MemoryHit[] => {
      const file = files[Number(id)];
      return file ? [{ path: file.path, excerpt: excerptOf(texts[Number(id)] ?? "", terms) }] : [];
    })
    .slice(0, limit);
  return { hits, problems };
}

function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((place) => place >= 0);
  const place = Math.min(...places, text.length);
  const from = places.length === 0 ? 0 : Math.max(0, place - before);
  const part = text.slice(from, from + before + behind).toWellFormed();
  return `${from > 0 ? "…" : ""}${part}${from + before + behind < text.length ? "…" : ""}`;
}

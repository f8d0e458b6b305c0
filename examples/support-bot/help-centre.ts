import { DatabaseSync } from "node:sqlite";
import type { Article } from "./articles.ts";
import type { Embed } from "./embed.ts";

/** An article that a search found. */
export interface Found extends Article {
  /** The words around what was looked for. */
  readonly snippet: string;
}

/** What a search found, the best first. */
export interface Search {
  readonly found: readonly Found[];
  /** Why only the words were looked for, where the meaning should have been, too. */
  readonly problem?: string;
}

/** The most words of a question that are looked for. */
const mostWords = 40;

/** Words that any question may have. */
const emptyWords = new Set(
  "a about am an and any are as at be been but by can could did do does don for from get had has have how i if in is it its me my no not of on or our please s should so some t than that the their them then there these they this to up was we what when where which who why will with would you your".split(
    " ",
  ),
);

/** Full-text search over articles in SQLite, joined by search by meaning where there is an embedding model. */
export class HelpCentre implements Disposable {
  readonly #articles: readonly Article[];
  readonly #embed: Embed | undefined;
  readonly #database: DatabaseSync;
  #indexed: Promise<void> | undefined;

  /** @param embed - Turns texts into vectors; without it, words alone are looked for. */
  constructor(articles: readonly Article[], embed?: Embed) {
    this.#articles = articles;
    this.#embed = embed;
    this.#database = new DatabaseSync(":memory:", { allowExtension: embed !== undefined });
    this.#database.exec("CREATE VIRTUAL TABLE texts USING fts5 (title, body, tokenize = 'porter unicode61')");
    const insert = this.#database.prepare("INSERT INTO texts (rowid, title, body) VALUES (?, ?, ?)");
    for (const [row, { title, body }] of articles.entries()) insert.run(row, title, body);
  }

  /** The article with that id. */
  article(id: string): Article | undefined {
    return this.#articles.find((article) => article.id === id);
  }

  /** The articles that answer a question, in whatever words it is asked. */
  async search(question: string, limit = 4, signal?: AbortSignal): Promise<Search> {
    const byWords = this.#byWords(question, limit * 2);
    const found = (rows: readonly number[]): readonly Found[] =>
      rows.slice(0, limit).flatMap((row) => {
        const article = this.#articles[row];
        return article ? [{ ...article, snippet: byWords.get(row) ?? `${article.body.slice(0, 80)}…` }] : [];
      });
    const rows = [...byWords.keys()];
    if (!this.#embed) return { found: found(rows) };
    try {
      return { found: found(fuse([rows, await this.#byMeaning(question, limit * 2, this.#embed, signal)])) };
    } catch (error) {
      return { found: found(rows), problem: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Closes the index. */
  [Symbol.dispose](): void {
    this.#database.close();
  }

  /** The rows that have some of the words, the best first, each with a snippet. */
  #byWords(question: string, limit: number): ReadonlyMap<number, string> {
    const words = wordsOf(question);
    if (words === "") return new Map();
    // A word of the title counts as much as three of the body.
    const query = `SELECT rowid AS row, snippet(texts, 1, '', '', '…', 16) AS snippet FROM texts
      WHERE texts MATCH ? ORDER BY bm25(texts, 3, 1) LIMIT ?`;
    const rows = this.#database.prepare(query).all(words, limit);
    return new Map(rows.map(({ row, snippet }) => [Number(row), String(snippet)]));
  }

  /** The rows whose vectors are nearest to that of the question. */
  async #byMeaning(
    question: string,
    limit: number,
    embed: Embed,
    signal: AbortSignal | undefined,
  ): Promise<readonly number[]> {
    signal?.throwIfAborted();
    this.#indexed ??= this.#index(embed);
    // What failed once may succeed with the next question.
    this.#indexed.catch(() => (this.#indexed = undefined));
    await this.#indexed;
    const [vector] = await embed([question], signal);
    if (!vector) throw new Error("the embedding model gave no vector");
    const query = "SELECT rowid AS row FROM vectors WHERE embedding MATCH ? AND k = ? ORDER BY distance";
    return this.#database
      .prepare(query)
      .all(bytesOf(vector), limit)
      .map(({ row }) => Number(row));
  }

  async #index(embed: Embed): Promise<void> {
    const { load } = await import("sqlite-vec");
    load(this.#database);
    const vectors = await embed(this.#articles.map(({ title, body }) => `${title}\n${body}`));
    const length = vectors[0]?.length ?? 0;
    this.#database.exec(
      `DROP TABLE IF EXISTS vectors; CREATE VIRTUAL TABLE vectors USING vec0 (embedding float[${length}] distance_metric=cosine)`,
    );
    const insert = this.#database.prepare("INSERT INTO vectors (rowid, embedding) VALUES (?, ?)");
    for (const [row, vector] of vectors.entries()) insert.run(BigInt(row), bytesOf(vector));
  }
}

/** A question in FTS5's language: any of its words, each quoted, so that nothing in it is taken for an operator. */
function wordsOf(question: string): string {
  const words = (question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, mostWords);
  const telling = words.filter((word) => !emptyWords.has(word));
  return telling.map((word) => `"${word}"`).join(" OR ");
}

/** Reciprocal rank fusion (Cormack et al., SIGIR 2009): what stands high in both lists comes first. */
function fuse(lists: readonly (readonly number[])[]): readonly number[] {
  const scores = new Map<number, number>();
  for (const list of lists)
    for (const [rank, row] of list.entries()) scores.set(row, (scores.get(row) ?? 0) + 1 / (60 + rank));
  return [...scores].sort(([, a], [, b]) => b - a).map(([row]) => row);
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

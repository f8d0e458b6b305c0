import type { JsonObject, JsonValue } from "../../../base/util/json.ts";
import { asNumber, asObjects } from "../../kit/json-values.ts";

/**
 * What a server sends in addition to the answer: its sources, and the tools that it ran. It is for the reader: Chat
 * Completions does not accept it in a request.
 */
export class Extras {
  readonly #fields: Record<string, JsonValue[]> = {};
  /** Where the entries with an `index` are, by field and index: looking for each would take as long as the list is. */
  readonly #places = new Map<string, number>();

  /** Adds the extras of a message or a delta. They are looked up by name, since most deltas have none. */
  addFromMessage({ annotations, executed_tools: executedTools }: JsonObject): void {
    // Citations within the text (OpenAI, OpenRouter) and tools that the server ran (Groq) arrive in pieces.
    if (annotations) this.#append("annotations", annotations);
    if (executedTools) this.#append("executed_tools", executedTools);
  }

  /** Adds a part of the content that refers to a source (Mistral). */
  addReference(part: JsonObject): void {
    (this.#fields["references"] ??= []).push(part);
  }

  /** Adds the extras of a chunk. */
  addFromChunk({ citations, search_results: searchResults }: JsonObject): void {
    // The sources (xAI, Perplexity): every chunk has the complete list.
    if (citations) this.#replace("citations", citations);
    if (searchResults) this.#replace("search_results", searchResults);
  }

  /** The fields under the server's own names; `undefined` if there are none. */
  get all(): JsonObject | undefined {
    return Object.keys(this.#fields).length > 0 ? this.#fields : undefined;
  }

  #append(field: string, pieces: JsonValue): void {
    const entries = asObjects(pieces);
    for (const entry of entries) this.#add(field, entry);
  }

  #replace(field: string, list: JsonValue): void {
    if (Array.isArray(list) && list.length > 0) this.#fields[field] = list;
  }

  /** Adds an entry, or fields to the entry that has the same `index`. */
  #add(field: string, entry: JsonObject): void {
    const list = (this.#fields[field] ??= []);
    const index = asNumber(entry["index"]);
    const key = `${field}:${index}`;
    const place = index === undefined ? undefined : this.#places.get(key);
    if (place !== undefined) {
      list[place] = { ...asObjects([list[place]])[0], ...entry };
      return;
    }
    if (index !== undefined) this.#places.set(key, list.length);
    list.push(entry);
  }
}

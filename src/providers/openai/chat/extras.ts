import type { JsonObject, JsonValue } from "../../../base/util/json.ts";
import { asNumber, asObjects } from "../../kit/json-values.ts";

/**
 * What a server sends in addition to the answer: its sources, and the tools that it ran. It is for the reader: Chat
 * Completions does not accept it in a request.
 */
export class Extras {
  readonly #fields: Record<string, readonly JsonValue[]> = {};

  /** Adds the extras of a message or a delta. They are looked up by name, since most deltas have none. */
  addFromMessage({ annotations, executed_tools: executedTools }: JsonObject): void {
    // Citations within the text (OpenAI, OpenRouter) and tools that the server ran (Groq) arrive in pieces.
    if (annotations) this.#append("annotations", annotations);
    if (executedTools) this.#append("executed_tools", executedTools);
  }

  /** Adds a part of the content that refers to a source (Mistral). */
  addReference(part: JsonObject): void {
    this.#fields["references"] = [...(this.#fields["references"] ?? []), part];
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
    if (entries.length > 0) this.#fields[field] = entries.reduce(withEntry, this.#fields[field] ?? []);
  }

  #replace(field: string, list: JsonValue): void {
    if (Array.isArray(list) && list.length > 0) this.#fields[field] = list;
  }
}

/** The list with one more entry, or with more fields of the entry that has the same `index`. */
function withEntry(list: readonly JsonValue[], entry: JsonObject): readonly JsonValue[] {
  const index = asNumber(entry["index"]);
  const place = index === undefined ? -1 : asObjects(list).findIndex((before) => before["index"] === index);
  if (place < 0) return [...list, entry];
  return list.map((before, at) => (at === place ? { ...asObjects([before])[0], ...entry } : before));
}

import type { JsonObject, JsonValue } from "../../../base/util/json.ts";
import { asNumber, asObjects } from "../../kit/json-values.ts";

/**
 * What a server tells beside the answer: where it found it, and what it ran to find it. It is for the reader: Chat
 * Completions take none of it back.
 */
export class Extras {
  readonly #fields: Record<string, readonly JsonValue[]> = {};

  /** Takes what a message, or a piece of one, has of it. Looked up by name, since most pieces have nothing of it. */
  addFromMessage({ annotations, executed_tools: executedTools }: JsonObject): void {
    // Citations within the text (OpenAI, OpenRouter), tools that the server ran (Groq): both come in pieces.
    if (annotations) this.#grow("annotations", annotations);
    if (executedTools) this.#grow("executed_tools", executedTools);
  }

  /** Takes a part of the content that points at what was read (Mistral). */
  addReference(part: JsonObject): void {
    this.#fields["references"] = [...(this.#fields["references"] ?? []), part];
  }

  /** Takes what stands beside the message. */
  addFromChunk({ citations, search_results: searchResults }: JsonObject): void {
    // The pages that were read (xAI, Perplexity), stated whole, each time anew.
    if (citations) this.#state("citations", citations);
    if (searchResults) this.#state("search_results", searchResults);
  }

  /** The fields under the server's own names; `undefined` if there are none. */
  get all(): JsonObject | undefined {
    return Object.keys(this.#fields).length > 0 ? this.#fields : undefined;
  }

  #grow(field: string, pieces: JsonValue): void {
    const entries = asObjects(pieces);
    if (entries.length > 0) this.#fields[field] = entries.reduce(withEntry, this.#fields[field] ?? []);
  }

  #state(field: string, list: JsonValue): void {
    if (Array.isArray(list) && list.length > 0) this.#fields[field] = list;
  }
}

/** The list with one more entry, or with more of one that its `index` tells is there. */
function withEntry(list: readonly JsonValue[], entry: JsonObject): readonly JsonValue[] {
  const index = asNumber(entry["index"]);
  const place = index === undefined ? -1 : asObjects(list).findIndex((before) => before["index"] === index);
  if (place < 0) return [...list, entry];
  return list.map((before, at) => (at === place ? { ...asObjects([before])[0], ...entry } : before));
}

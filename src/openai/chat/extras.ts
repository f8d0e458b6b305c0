import type { JsonObject, JsonValue } from "../../util/json.ts";
import { asNumber, asObjects } from "../wire-values.ts";

/** What comes in pieces: citations within the text (OpenAI, OpenRouter), tools that the server ran (Groq). */
const growing = ["annotations", "executed_tools"] as const;

/** What is stated whole, each time anew: the pages that were read (xAI, Perplexity). */
const stated = ["citations", "search_results"] as const;

/**
 * What a server tells beside the answer: where it found it, and what it ran to find it. It is for the reader: Chat
 * Completions take none of it back.
 */
export class Extras {
  readonly #fields: Record<string, readonly JsonValue[]> = {};

  /** Takes what a message, or a piece of one, has of it. */
  addFromMessage(message: JsonObject): void {
    for (const field of growing) {
      const entries = asObjects(message[field]);
      if (entries.length > 0) this.#fields[field] = entries.reduce(withEntry, this.#fields[field] ?? []);
    }
  }

  /** Takes a part of the content that points at what was read (Mistral). */
  addReference(part: JsonObject): void {
    this.#fields["references"] = [...(this.#fields["references"] ?? []), part];
  }

  /** Takes what stands beside the message. */
  addFromChunk(chunk: JsonObject): void {
    for (const field of stated) {
      const list = chunk[field];
      if (Array.isArray(list) && list.length > 0) this.#fields[field] = list;
    }
  }

  /** The fields under the server's own names; `undefined` if there are none. */
  get all(): JsonObject | undefined {
    return Object.keys(this.#fields).length > 0 ? this.#fields : undefined;
  }
}

/** The list with one more entry, or with more of one that its `index` tells is there. */
function withEntry(list: readonly JsonValue[], entry: JsonObject): readonly JsonValue[] {
  const index = asNumber(entry["index"]);
  const place = index === undefined ? -1 : asObjects(list).findIndex((before) => before["index"] === index);
  if (place < 0) return [...list, entry];
  return list.map((before, at) => (at === place ? { ...asObjects([before])[0], ...entry } : before));
}

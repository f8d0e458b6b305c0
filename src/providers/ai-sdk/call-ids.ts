import { UniqueIds } from "../../message/unique-ids.ts";
import { digest, wireName } from "../../model/wire-names.ts";

/** Ids of calls and their results as every provider takes them, each for one call only. */
export class PromptCallIds {
  readonly #fit: (id: string) => string;
  readonly #ids: UniqueIds;
  /** The id in the prompt of the last call that had this id. */
  readonly #current = new Map<string, string>();

  /** @param family - The model's provider: Mistral takes exactly nine letters and digits, OpenAI up to 40 characters. */
  constructor(family: string) {
    this.#fit = family.startsWith("mistral") ? nineCharacters : (id) => wireName(id, 40);
    this.#ids = new UniqueIds(new Set(), this.#fit);
  }

  /** The id for a call. Some servers number the calls of each answer from the start: a second use gets an id of its own. */
  forCall(toolCallId: string): string {
    const id = this.#ids.claim(toolCallId);
    this.#current.set(toolCallId, id);
    return id;
  }

  /** The id for a result: that of the last call it can belong to. */
  forResult(toolCallId: string): string {
    return this.#current.get(toolCallId) ?? this.#fit(toolCallId);
  }
}

function nineCharacters(id: string): string {
  return /^[a-zA-Z0-9]{9}$/.test(id) ? id : digest(id).slice(-9);
}

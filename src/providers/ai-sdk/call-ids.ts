import { UniqueIds } from "../../message/unique-ids.ts";
import { digest, wireName } from "../../model/wire-names.ts";

/** Assigns ids that the provider accepts to calls and their results, a unique one to each call. */
export class PromptCallIds {
  readonly #fit: (id: string) => string;
  readonly #ids: UniqueIds;
  /** By id in the history: the id in the prompt of the last call with it. */
  readonly #current = new Map<string, string>();

  /** @param family - The model's provider: Mistral accepts exactly nine letters and digits, OpenAI up to 40 characters. */
  constructor(family: string) {
    this.#fit = family.startsWith("mistral") ? nineCharacters : (id) => wireName(id, 40);
    this.#ids = new UniqueIds(new Set(), this.#fit);
  }

  /** The id for a call. Some servers number the calls of each answer from the start, so a reused id is replaced. */
  forCall(toolCallId: string): string {
    const id = this.#ids.claim(toolCallId);
    this.#current.set(toolCallId, id);
    return id;
  }

  /** The id for a result: that of the last call with its id. */
  forResult(toolCallId: string): string {
    return this.#current.get(toolCallId) ?? this.#fit(toolCallId);
  }
}

function nineCharacters(id: string): string {
  return /^[a-zA-Z0-9]{9}$/.test(id) ? id : digest(id).slice(-9);
}

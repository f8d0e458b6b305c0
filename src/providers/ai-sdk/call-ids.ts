import { digest, wireName } from "../../model/wire-names.ts";

/** Ids of calls and their results as every provider takes them, each for one call only. */
export class PromptCallIds {
  readonly #isMistral: boolean;
  readonly #used = new Set<string>();
  /** The id in the prompt of the last call that had this id. */
  readonly #current = new Map<string, string>();

  /** @param family - The model's provider: Mistral takes exactly nine letters and digits, OpenAI up to 40 characters. */
  constructor(family: string) {
    this.#isMistral = family.startsWith("mistral");
  }

  /** The id for a call. Some servers number the calls of each answer anew: a second use gets an id of its own. */
  forCall(toolCallId: string): string {
    let id = this.#fit(toolCallId);
    for (let count = 2; this.#used.has(id); count += 1) id = this.#fit(`${toolCallId}_${count}`);
    this.#used.add(id);
    this.#current.set(toolCallId, id);
    return id;
  }

  /** The id for a result: that of the last call it can belong to. */
  forResult(toolCallId: string): string {
    return this.#current.get(toolCallId) ?? this.#fit(toolCallId);
  }

  #fit(id: string): string {
    if (!this.#isMistral) return wireName(id, 40);
    return /^[a-zA-Z0-9]{9}$/.test(id) ? id : digest(id).slice(-9);
  }
}

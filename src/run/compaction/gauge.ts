import type { ModelRequest } from "../../model/types.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { tokensOf, tokensOfAll, tokensOfText } from "./estimate.ts";

/** Reports further off than this count other things than the request. */
const mostWrong = 4;

/** Counts a run's history as it grows, each message once. */
export class Gauge {
  #counted = 0;
  #tokens = 0;
  #tools: ModelRequest["tools"];
  #toolTokens = 0;
  #instructionTokens = 0;
  /** What the last request was estimated at, and what the run had used before it. */
  #lastEstimate: number | undefined;
  #used = 0;
  /** How many of a provider's tokens one that is estimated comes to. */
  factor = 1;

  /** About how many tokens a request with the run's messages has. */
  count(run: ActiveRun, instructions: string | undefined, tools: ModelRequest["tools"]): number {
    this.#correct(run);
    this.#instructionTokens = tokensOfText(instructions ?? "");
    if (tools !== this.#tools) this.#toolTokens = tokensOfText(JSON.stringify(tools ?? []));
    this.#tools = tools;
    const { messages } = run.conversation;
    for (; this.#counted < messages.length; this.#counted++) {
      const message = messages[this.#counted];
      if (message) this.#tokens += tokensOf(message);
    }
    return this.#total();
  }

  /** The same after the run's messages have changed. */
  recount({ conversation: { messages } }: ActiveRun): number {
    this.#tokens = tokensOfAll(messages);
    this.#counted = messages.length;
    return this.#total();
  }

  /** Notes that the model is being called. */
  ask(run: ActiveRun): void {
    this.#lastEstimate = this.#estimate();
    this.#used = run.meters.usage.inputTokens ?? 0;
  }

  #estimate(): number {
    return this.#instructionTokens + this.#toolTokens + this.#tokens;
  }

  #total(): number {
    return Math.round(this.#estimate() * this.factor);
  }

  #correct({ meters }: ActiveRun): void {
    const reported = (meters.usage.inputTokens ?? 0) - this.#used;
    if (this.#lastEstimate === undefined || this.#lastEstimate === 0 || reported <= 0) return;
    this.factor = Math.min(mostWrong, Math.max(1 / mostWrong, reported / this.#lastEstimate));
  }
}

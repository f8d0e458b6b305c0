import { SkeinError } from "../errors.ts";
import type { Model, ModelEvent, ModelRequest } from "../model/types.ts";
import { assertTurns, checkedAnswer } from "./check-turn.ts";
import { playTurn, type ModelNames, type TurnFunction, type TurnLike } from "./turn.ts";
import { assertKnownOptions } from "../base/options/known-options.ts";

/** Settings of a model for tests. */
export interface TestModelOptions extends Partial<ModelNames> {
  /** Begins the ids of calls that have none: `"call_"` by default. Set it where two models share a history. */
  readonly toolCallIdPrefix?: string;
  /** Whether the model answers a request's `output` with JSON as its text; by default it calls the output tool. */
  readonly supportsOutput?: boolean;
}

/** The names of the options, for checks. */
export const testModelOptions: Readonly<Record<keyof TestModelOptions, true>> = {
  provider: true,
  modelId: true,
  toolCallIdPrefix: true,
  supportsOutput: true,
};

/**
 * A model that answers from a script, one turn for each request, and remembers its requests.
 *
 * @throws ConfigurationError (`invalid-turn`) for a turn that cannot be played; SkeinError (`script-exhausted`) from `stream`, for a
 * request beyond the script.
 */
export class ScriptedModel implements Model {
  readonly provider: string;
  readonly modelId: string;
  /** Every request so far, its messages as they were at that moment. */
  readonly requests: ModelRequest[] = [];
  readonly #supportsOutput: boolean;
  readonly #turns: readonly (TurnLike | TurnFunction)[];
  readonly #nextCallId: () => string;

  constructor(turns: readonly (TurnLike | TurnFunction)[], options: TestModelOptions = {}) {
    assertKnownOptions(options, testModelOptions, "new ScriptedModel()");
    this.provider = options.provider ?? "scripted";
    this.modelId = options.modelId ?? "scripted";
    this.#supportsOutput = options.supportsOutput ?? false;
    assertTurns(turns);
    this.#turns = [...turns];
    this.#nextCallId = countingIds(options.toolCallIdPrefix);
  }

  /** As set in the options. */
  supportsOutput(): boolean {
    return this.#supportsOutput;
  }

  /** Plays the next turn of the script. It counts as used at once, even if its events are not read. */
  stream(request: ModelRequest): AsyncIterable<ModelEvent> {
    // The run may add to its list later; the messages themselves never change.
    const snapshot = { ...request, messages: request.messages.slice() };
    const turn = this.#turns[this.requests.push(snapshot) - 1];
    if (turn === undefined) throw this.#exhausted();
    return playTurn(
      typeof turn === "function" ? checkedAnswer(turn) : turn,
      snapshot,
      this,
      this.#nextCallId,
    );
  }

  /**
   * Checks that the script was followed to its end and no further.
   * @throws SkeinError (`script-incomplete` or `script-exhausted`) naming the turns that were never requested.
   */
  assertComplete(): void {
    const requestCount = this.requests.length;
    if (requestCount > this.#turns.length) throw this.#exhausted();
    if (requestCount === this.#turns.length) return;
    const rest = this.#turns
      .slice(requestCount)
      .map((turn, index) => `turn ${requestCount + index + 1} (${describe(turn)})`);
    throw new SkeinError(
      `${this.modelId}: ${rest.length} of ${count(this.#turns.length, "turn")} never requested: ${rest.join(", ")}`,
      { code: "script-incomplete", data: { requests: requestCount, turns: this.#turns.length } },
    );
  }

  #exhausted(): SkeinError {
    const requestCount = this.requests.length;
    return new SkeinError(
      `${this.modelId}: request ${requestCount} is beyond the script, which has ${count(this.#turns.length, "turn")}. ` +
        "Add a turn to the script, or find out why the model was called again: see `requests`.",
      { code: "script-exhausted", data: { requests: requestCount, turns: this.#turns.length } },
    );
  }
}

/** Makes the ids `call_1`, `call_2` and so on, with `prefix`. */
export function countingIds(prefix = "call_"): () => string {
  let calls = 0;
  return () => {
    calls += 1;
    return `${prefix}${calls}`;
  };
}

function describe(turn: TurnLike | TurnFunction): string {
  if (typeof turn === "function") return "a function";
  if (typeof turn === "string") return JSON.stringify(shorten(turn));
  if (turn.toolCalls?.length) return `calls ${turn.toolCalls.map((call) => call.toolName).join(", ")}`;
  if (turn.text !== undefined) return JSON.stringify(shorten(turn.text));
  return turn.error === undefined ? "no output" : "an error";
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

function count(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}

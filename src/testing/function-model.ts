import type { Model, ModelEvent, ModelRequest } from "../model/types.ts";
import { countingIds, testModelOptions, type TestModelOptions } from "./scripted-model.ts";
import { checkedAnswer } from "./check-turn.ts";
import { playTurn, type TurnFunction } from "./turn.ts";
import { assertKnownOptions } from "../base/options/known-options.ts";

/** A model whose every answer is made by a function from the request. What the function throws, the model throws. */
export class FunctionModel implements Model {
  readonly provider: string;
  readonly modelId: string;
  readonly #supportsOutput: boolean;
  readonly #answer: TurnFunction;
  readonly #nextCallId: () => string;

  constructor(answer: TurnFunction, options: TestModelOptions = {}) {
    assertKnownOptions(options, testModelOptions, "new FunctionModel()");
    this.provider = options.provider ?? "function";
    this.modelId = options.modelId ?? "function";
    this.#supportsOutput = options.supportsOutput ?? false;
    this.#answer = answer;
    this.#nextCallId = countingIds(options.toolCallIdPrefix);
  }

  /** What the options say. */
  supportsOutput(): boolean {
    return this.#supportsOutput;
  }

  /** Asks the function, and plays its answer. */
  stream(request: ModelRequest): AsyncIterable<ModelEvent> {
    return playTurn(checkedAnswer(this.#answer), request, this, this.#nextCallId);
  }
}

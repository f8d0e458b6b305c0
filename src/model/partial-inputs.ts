import { PartialJson } from "../base/stream/partial-json.ts";
import type { ModelEvent } from "./types.ts";

type Delta = Extract<ModelEvent, { readonly type: "tool-input-delta" }>;

/** A piece of a call's arguments. `partial` is an accessor of the class, so that copies and JSON of an event are without it. */
class InputDelta implements Delta {
  readonly type = "tool-input-delta";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly text: string;
  readonly #input: PartialJson;

  constructor({ toolCallId, toolName, text }: Delta, input: PartialJson) {
    this.toolCallId = toolCallId;
    this.toolName = toolName;
    this.text = text;
    this.#input = input;
  }

  get partial(): unknown {
    return this.#input.value;
  }
}

/** Gives the pieces of one answer's calls the values of the arguments so far. */
export class PartialInputs {
  readonly #inputs = new Map<string, PartialJson>();

  /** A new event like the one of the model, with `partial`. */
  delta(event: Delta): Delta {
    const { toolCallId } = event;
    let input = this.#inputs.get(toolCallId);
    if (!input) this.#inputs.set(toolCallId, (input = new PartialJson()));
    input.push(event.text);
    return new InputDelta(event, input);
  }

  /** Says that a call is complete: pieces of the same id are those of another one. */
  end(toolCallId: string): void {
    this.#inputs.delete(toolCallId);
  }
}

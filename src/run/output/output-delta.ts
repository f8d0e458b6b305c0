import type { PartialJson } from "../../base/stream/partial-json.ts";
import type { RunEventBody } from "../types.ts";

/** A piece of an answer. `partial` is an accessor of the class, so that copies and JSON of an event are without it. */
export class OutputDelta implements Extract<RunEventBody, { readonly type: "output-delta" }> {
  readonly type = "output-delta";
  readonly agent: string;
  readonly text: string;
  readonly #json: PartialJson;
  readonly #isWrapped: boolean;

  constructor(agent: string, text: string, json: PartialJson, isWrapped: boolean) {
    this.agent = agent;
    this.text = text;
    this.#json = json;
    this.#isWrapped = isWrapped;
  }

  get partial(): unknown {
    const { value } = this.#json;
    if (!this.#isWrapped) return value;
    if (typeof value !== "object" || value === null) return undefined;
    return Object.hasOwn(value, "value") ? Reflect.get(value, "value") : undefined;
  }
}

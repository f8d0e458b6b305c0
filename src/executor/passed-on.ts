import type { ToolCall } from "../message/messages.ts";
import { freeze } from "../base/util/snapshot.ts";
import type { SettledCall } from "./types.ts";

/** What a tool returns that has made another call in the place of its own: what became of that call, for the model to read. */
export class PassedOn {
  readonly #settled: SettledCall;

  constructor(settled: SettledCall) {
    this.#settled = settled;
  }

  /** The outcome of the call in whose place the other one was made. */
  outcomeOf({ toolCallId, toolName }: ToolCall): SettledCall {
    const { result, cut, error, agent, final, meta } = this.#settled;
    return {
      result: freeze({ ...result, toolCallId, toolName }),
      ...(cut && { cut }),
      ...(error !== undefined && { error }),
      ...(agent && { agent }),
      ...(final && { final }),
      ...(meta && { meta }),
    };
  }
}

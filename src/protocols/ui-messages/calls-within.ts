import type { ToolCall } from "../../message/messages.ts";
import type { PendingCall } from "../../message/run-state.ts";
import { likeness } from "../kit/match-pending.ts";
import type { CallPart } from "./message-writer.ts";

/** A call within another that has waited for a decision. */
interface CallWithin {
  readonly pending: PendingCall;
  readonly part: CallPart;
  /** Where it is executed, once it is. */
  place?: string;
}

/** Where an event of a call within another comes from. */
export interface CallPlace {
  /** The call of the run that it is within, at any depth. */
  readonly top: string;
  /** The ids of all calls around it, joined by slashes. */
  readonly path: string;
  /** The agent that made it. */
  readonly agent: string;
}

/**
 * The parts of calls within others that have waited for a decision. Agents number their calls alike, and an event of a call does not have
 * the id of its decision: it is what the call is and where it was made that leads to its part.
 */
export class CallsWithin {
  readonly #calls: CallWithin[] = [];

  add(pending: PendingCall, part: CallPart): void {
    const call = this.#calls.find((each) => each.part === part);
    if (!call) this.#calls.push({ pending, part });
    else delete call.place;
  }

  /** A call within another is executed. */
  start(toolCall: ToolCall, place: CallPlace): void {
    const streamed = { ...toolCall, agent: place.agent };
    let best: CallWithin | undefined;
    let most = 0;
    for (const call of this.#calls) {
      const score = mayBe(call, toolCall, place) ? likeness(call.pending, streamed) : 0;
      if (score > most) [best, most] = [call, score];
    }
    if (best) best.place = keyOf(toolCall.toolCallId, place);
  }

  /** The part of a call that has ended, if it has waited. */
  end(toolCallId: string, place: CallPlace): CallPart | undefined {
    const key = keyOf(toolCallId, place);
    const at = this.#calls.findIndex((call) => call.place === key);
    return at < 0 ? undefined : this.#calls.splice(at, 1)[0]?.part;
  }

  clear(): void {
    this.#calls.length = 0;
  }
}

function mayBe({ pending, place }: CallWithin, { toolCallId }: ToolCall, { top }: CallPlace): boolean {
  return place === undefined && pending.parentToolCallId === top && pending.toolCallId === toolCallId;
}

function keyOf(toolCallId: string, { path }: CallPlace): string {
  return `${path}/${toolCallId}`;
}

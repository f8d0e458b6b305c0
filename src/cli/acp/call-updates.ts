import type { AgentRunEvent, RunEvent } from "../../run/types.ts";
import { isAnswerTool } from "../../protocols/ag-ui/answer-tool.ts";
import type { Card, ToolCards } from "./tool-cards.ts";

type Event = RunEvent | AgentRunEvent;
type Of<Type extends Event["type"]> = Extract<Event, { readonly type: Type }>;

/** Whether an event is about a call of a tool: it is shown as a card. */
export function isOfCall({ type }: RunEvent): boolean {
  return type === "approval-request" || type === "agent-event" || type.startsWith("tool-");
}

/** The calls of a run as cards, and those of agents within it. */
export class CallUpdates {
  readonly #cards: ToolCards;

  constructor(cards: ToolCards) {
    this.#cards = cards;
  }

  /**
   * Shows what an event changes of a card.
   * @param lane - The card of the call whose tool runs the agent; empty for the run's own.
   */
  read(event: Event, lane = ""): void {
    switch (event.type) {
      case "tool-input-delta":
        return this.#begin(event, lane);
      case "tool-start":
        return this.#start(event, lane);
      case "tool-progress":
        return this.#report(event, lane);
      case "tool-end":
        return this.#end(event, lane);
      case "hosted-call":
        return this.#showHosted(event, lane);
      case "agent-event": {
        const parent = this.#cards.find(lane, event.parentToolCallId);
        return this.read(event.event, parent?.id ?? `${lane}/${event.parentToolCallId}`);
      }
      case "approval-request":
      case "compaction":
      case "events-dropped":
      case "handoff":
      case "model-end":
      case "model-start":
      case "output-delta":
      case "reasoning-delta":
      case "retry":
      case "run-end":
      case "text-delta":
      case "turn-end":
      case "turn-start":
      case "user-message":
      case "warning":
        return undefined;
    }
  }

  /** The card of a call that waits for the user. Those of agents within the run are events of the run itself. */
  request({ toolCall, input, agent, parentToolCallId }: Of<"approval-request">): Card {
    const lane = this.#laneOf("", parentToolCallId);
    const card =
      this.#cards.find(lane, toolCall.toolCallId) ??
      this.#cards.findWithin(lane, toolCall) ??
      this.#cards.begin(lane, agent, toolCall);
    this.#cards.start(card, { ...toolCall, arguments: JSON.stringify(input) ?? "" }, "pending");
    return card;
  }

  #begin({ toolCallId, toolName, agent }: Of<"tool-input-delta">, lane: string): void {
    // It gets its id later.
    if (toolCallId === "" || isAnswerTool(toolName) || this.#cards.find(lane, toolCallId)) return;
    this.#cards.begin(lane, agent, { toolCallId, toolName });
  }

  #start({ toolCall, agent, parentToolCallId }: Of<"tool-start">, lane: string): void {
    const place = this.#laneOf(lane, parentToolCallId);
    const card = this.#cards.find(place, toolCall.toolCallId) ?? this.#cards.begin(place, agent, toolCall);
    this.#cards.start(card, toolCall);
  }

  #report({ toolCallId, value, parentToolCallId }: Of<"tool-progress">, lane: string): void {
    const card = this.#cards.find(this.#laneOf(lane, parentToolCallId), toolCallId);
    if (card) this.#cards.report(card, value);
  }

  #end({ result, agent, parentToolCallId, meta }: Of<"tool-end">, lane: string): void {
    const place = this.#laneOf(lane, parentToolCallId);
    const card = this.#cards.find(place, result.toolCallId) ?? this.#cards.begin(place, agent, result);
    this.#cards.end(card, result, meta);
  }

  /** A call that the provider executes itself: it comes when it begins, and once more with what came of it. */
  #showHosted({ call, agent }: Of<"hosted-call">, lane: string): void {
    const { id, name, input = {}, status, error } = call;
    const named = { toolCallId: id, toolName: name };
    const card = this.#cards.find(lane, id) ?? this.#cards.begin(lane, agent, named);
    this.#cards.start(card, { ...named, arguments: JSON.stringify(input) });
    if (status === "running") return;
    const value = "results" in call ? call.results : "output" in call ? call.output : undefined;
    const text = error ?? (value === undefined ? "Done." : JSON.stringify(value));
    const isError = status === "failed";
    const content = [{ type: "text", text }] as const;
    this.#cards.end(card, { ...named, content, isError, outcome: isError ? "error" : "success" });
  }

  /** A call that a tool makes stands below that of the tool. */
  #laneOf(lane: string, parentToolCallId: string | undefined): string {
    if (parentToolCallId === undefined) return lane;
    return this.#cards.find(lane, parentToolCallId)?.id ?? lane;
  }
}

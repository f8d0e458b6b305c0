import type { SessionUpdate, ToolCallStatus } from "@agentclientprotocol/sdk";
import type { ToolCall, ToolResult } from "../../message/messages.ts";
import { toJson } from "../../base/util/to-json.ts";
import { CallIds } from "../../protocols/ag-ui/call-ids.ts";
import { formatArguments, printable, printableValue, quoteName, shorten } from "../text.ts";
import { jsonBlock } from "./markdown.ts";
import { planOf } from "./plan.ts";
import { quoted, showResult, textContent } from "./tool-content.ts";
import type { FactsOfTeam, ToolFacts } from "./tool-facts.ts";

/** The widest title, in columns. */
const widestTitle = 120;

/** A call as the editor has it. */
export interface Card {
  /** Its id in the editor: ids of models may be used again. */
  readonly id: string;
  /** Whose calls it is among: empty for the run's own, else the id of the card whose tool runs the agent. */
  readonly lane: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly facts: ToolFacts | undefined;
  status: ToolCallStatus;
  /** Whether the editor has it. A plan is not a card, unless it waits or fails. */
  isShown: boolean;
  /** The call, once its arguments are there. */
  call?: ToolCall;
}

/** The calls of a session as cards of an editor. */
export class ToolCards {
  readonly #send: (update: SessionUpdate) => void;
  readonly #cwd: string;
  readonly #ids = new CallIds();
  #cards: Card[] = [];
  /** Set before each run. */
  facts: FactsOfTeam = new Map();

  constructor(send: (update: SessionUpdate) => void, cwd: string) {
    this.#send = send;
    this.#cwd = cwd;
  }

  /** Notes a call that the editor may have from earlier: a later one of its id gets another. */
  recall({ toolCallId }: Pick<ToolCall, "toolCallId">): void {
    this.#ids.claim(toolCallId);
  }

  /** The card of a call that has no result yet. */
  find(lane: string, toolCallId: string): Card | undefined {
    return this.#cards.findLast((card) => card.lane === lane && card.toolCallId === toolCallId);
  }

  /** The card of a call somewhere within another one. */
  findWithin(lane: string, { toolCallId, toolName }: ToolCall): Card | undefined {
    return this.#cards.findLast(
      (card) =>
        card.toolName === toolName &&
        (card.lane === lane || card.lane.startsWith(`${lane}/`)) &&
        (card.toolCallId === toolCallId || toolCallId.endsWith(`/${card.toolCallId}`)),
    );
  }

  /** Shows a call whose arguments are not there yet. */
  begin(lane: string, agent: string, call: Pick<ToolCall, "toolCallId" | "toolName">): Card {
    const { toolCallId, toolName } = call;
    const id = this.#ids.claim(lane === "" ? toolCallId : `${lane}/${toolCallId}`);
    const facts = this.facts.get(agent)?.get(toolName);
    const card: Card = { id, lane, toolCallId, toolName, facts, status: "pending", isShown: false };
    this.#cards.push(card);
    // Of an agent within the run, it would stand in place of the run's own.
    if (!facts?.isPlan || lane !== "") this.#show(card);
    return card;
  }

  #show(card: Card): void {
    if (card.isShown) return;
    card.isShown = true;
    const { id, toolName, facts } = card;
    this.#send({
      sessionUpdate: "tool_call",
      toolCallId: id,
      title: facts?.title === undefined ? quoteName(toolName) : shorten(facts.title, widestTitle),
      name: printable(toolName),
      kind: facts?.kind ?? "other",
      status: card.status,
    });
    if (card.call) this.#describe(card, card.call);
  }

  #describe(card: Card, call: ToolCall): void {
    this.#send({ sessionUpdate: "tool_call_update", ...describeCall(card, call) });
  }

  /** Shows the arguments of a call, and that its tool is being called unless it waits. */
  start(card: Card, call: ToolCall, status: "pending" | "in_progress" = "in_progress"): void {
    card.status = status;
    card.call = call;
    if (card.isShown) this.#describe(card, call);
    else if (status === "pending") this.#show(card);
  }

  /** Shows what a tool reports while it works; the last of it stays until the result is there. */
  report(card: Card, value: unknown): void {
    const text = typeof value === "string" ? quoted(value) : jsonBlock(toJson(value).value);
    this.#update(card, { content: [textContent(text)] });
  }

  /** @param meta - What the tool returned for the page that shows the call. */
  end(card: Card, result: ToolResult, meta?: unknown): void {
    this.stopWithin(card);
    card.status = result.isError ? "failed" : "completed";
    const { structuredContent } = result;
    const plan = card.facts?.isPlan && card.lane === "" && !result.isError && planOf(structuredContent);
    if (plan) this.#send({ sessionUpdate: "plan", entries: plan });
    else this.#show(card);
    this.#update(card, {
      status: card.status,
      ...showResult(result, this.#cwd, meta),
      ...(structuredContent !== undefined && { rawOutput: printableValue(structuredContent) }),
    });
    this.#cards = this.#cards.filter((each) => each !== card);
  }

  /** Ends the cards of calls that will have no result here. */
  stopAll(reason: string): void {
    for (const card of this.#cards) this.#stop(card, reason);
    this.#cards = [];
  }

  /** Ends the cards of what a tool has called: it has ended itself. */
  stopWithin({ id }: Card): void {
    const isWithin = ({ lane }: Card): boolean => lane === id || lane.startsWith(`${id}/`);
    for (const card of this.#cards) if (isWithin(card)) this.#stop(card, "The call was stopped.");
    this.#cards = this.#cards.filter((card) => !isWithin(card));
  }

  #stop(card: Card, reason: string): void {
    const text =
      card.status === "in_progress" ? "It may or may not have taken effect." : "It was not executed.";
    card.status = "failed";
    this.#update(card, { status: card.status, content: [textContent(`${reason} ${text}`)] });
  }

  #update(
    card: Card,
    changes: Omit<
      Extract<SessionUpdate, { sessionUpdate: "tool_call_update" }>,
      "toolCallId" | "sessionUpdate"
    >,
  ): void {
    if (card.isShown) this.#send({ sessionUpdate: "tool_call_update", toolCallId: card.id, ...changes });
  }
}

/** What an editor shows of a call. */
export function describeCall(
  { id, status }: Card,
  { toolName, arguments: text }: ToolCall,
): { toolCallId: string; title: string; status: ToolCallStatus; rawInput: unknown } {
  return {
    toolCallId: id,
    title: shorten(`${quoteName(toolName)}(${formatArguments(text)})`, widestTitle),
    status,
    rawInput: printableValue(readArguments(text)),
  };
}

/** The arguments as JSON where the model wrote JSON. */
function readArguments(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

import type { Message, ToolCall, ToolResult } from "skein";
import type { RemoteEvent } from "skein/client";
import { approvalForm, node } from "./dom.ts";

/** Decides on a call that waits. */
export type Decide = (approvalId: string, decision: "approve" | "deny", edited?: object) => void;

type EventOf<Type extends RemoteEvent["type"]> = Extract<RemoteEvent, { readonly type: Type }>;

/** Draws a conversation: a history, and the events of a run as they come. */
export class View {
  readonly #list: HTMLElement;
  readonly #decide: Decide;
  readonly #cards = new Map<string, HTMLElement>();
  /** The texts that are being written: the answer's, and those of agents that are called as tools. */
  readonly #texts = new Map<string, HTMLElement>();

  constructor(list: HTMLElement, decide: Decide) {
    this.#list = list;
    this.#decide = decide;
  }

  clear(): void {
    this.#list.replaceChildren();
    this.#cards.clear();
    this.#texts.clear();
  }

  message(message: Message): void {
    if (message.role === "user") this.user(message.content);
    if (message.role === "tool") this.#result(message.result);
    if (message.role !== "assistant") return;
    const text = message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
    if (text !== "") this.#add(message.agent).append(node("p", "text", text));
    for (const call of message.toolCalls) this.#call(call);
  }

  user(content: string | readonly { readonly type: string; readonly text?: string }[]): void {
    const text = typeof content === "string" ? content : content.map((part) => part.text ?? "").join(" ");
    const item = node("li", "user");
    item.append(node("p", "text", text));
    this.#list.append(item);
  }

  event(event: RemoteEvent): void {
    const { type, index, agent } = event;
    if (type === "turn-start") this.#texts.clear();
    else if (type === "text-delta") this.#write("answer", event.text, () => this.#add(agent, index));
    else if (type === "handoff") this.#note(`${agent} hands over to ${event.to}.`, index);
    else if (type === "tool-end") this.#result(event.result);
    else if (type === "approval-request") this.#approval(event);
    else if (type === "agent-event") this.#inner(event);
    else if (type === "user-message") this.user(event.message.content);
    // Another process of the server does this turn once more.
    else if (type === "turn-restart") this.#removeFrom(event.from);
    else if (type === "run-end" && event.status === "cancelled") this.#note("Stopped.", index);
    else if (type === "tool-start" && event.parentToolCallId === undefined) this.#call(event.toolCall, index);
  }

  #note(text: string, index: number): void {
    this.#add(undefined, index).append(node("p", "note", text));
  }

  #add(who?: string, index?: number): HTMLElement {
    const item = node("li", "assistant");
    if (index !== undefined) item.dataset["index"] = String(index);
    if (who !== undefined) item.append(node("span", "who", who));
    this.#list.append(item);
    return item;
  }

  #write(key: string, text: string, place: () => HTMLElement): void {
    const target = this.#texts.get(key) ?? node("p", "text");
    if (!this.#texts.has(key)) place().append(target);
    this.#texts.set(key, target);
    target.append(text);
  }

  #call({ toolCallId, toolName, arguments: text }: ToolCall, index?: number): void {
    if (toolName.startsWith("transfer_to_")) return;
    const earlier = this.#cards.get(toolCallId);
    // A call that has its result is another one: models count their calls in each answer.
    const isSame = earlier?.isConnected === true && earlier.dataset["state"] !== "done";
    const card = isSame ? earlier : node("div", "card");
    if (!isSame) this.#add(undefined, index).append(card);
    this.#cards.set(toolCallId, card);
    card.dataset["state"] = "running";
    card.replaceChildren(node("strong", "", toolName), " ", node("code", "", text));
  }

  #result({ toolCallId, content, outcome }: ToolResult): void {
    const card = this.#cards.get(toolCallId);
    if (!card) return;
    const text = content.map((part) => (part.type === "text" ? part.text : "")).join(" ");
    // What an agent has written in the card is its result.
    this.#texts.get(toolCallId)?.remove();
    card.append(node("p", "", outcome === "denied" ? "Denied." : text));
    card.dataset["state"] = "done";
  }

  #approval({ toolCall, input, approvalId, index }: EventOf<"approval-request">): void {
    this.#call(toolCall, index);
    const card = this.#cards.get(toolCall.toolCallId);
    if (!card) return;
    card.dataset["state"] = "waiting";
    const form = approvalForm(input, (decision, edited) => this.#decide(approvalId, decision, edited));
    card.replaceChildren(node("strong", "", toolCall.toolName), ...form);
  }

  #inner({ parentToolCallId, event }: EventOf<"agent-event">): void {
    const card = this.#cards.get(parentToolCallId);
    if (!card) return;
    const { agent, type } = event;
    if (type === "tool-start") card.append(node("p", "inner", `${agent} calls ${event.toolCall.toolName}.`));
    if (type === "text-delta") this.#write(parentToolCallId, event.text, () => card);
  }

  #removeFrom(index: number): void {
    this.#texts.clear();
    for (const item of this.#list.querySelectorAll<HTMLElement>("[data-index]"))
      if (Number(item.dataset["index"]) >= index) item.remove();
  }
}

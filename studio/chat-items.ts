import type { RemoteEvent } from "../src/client/types.ts";
import type { Message, ToolOutcome, ToolResult } from "../src/message/messages.ts";

/** A call, as a card of the conversation shows it. */
export interface CallItem {
  readonly toolCallId: string;
  readonly toolName: string;
  arguments: string;
  /** Whether the model still writes its arguments. */
  isWriting: boolean;
  outcome?: ToolOutcome;
  result?: string;
  durationMs?: number;
  /** Set while it waits for a decision. */
  approvalId?: string;
  /** What a person decided. */
  decided?: string;
  isCached?: boolean;
  progress?: string;
  /** What an agent within it does. */
  inner: string[];
}

/** A piece of an answer. */
export type Block =
  | { readonly type: "text" | "reasoning"; text: string }
  | { readonly type: "call"; readonly call: CallItem };

/** A part of the conversation. `rev` changes whenever it does. */
export type Item = { rev: number; readonly key: string } & (
  | {
      readonly kind: "user";
      readonly text: string;
      readonly runId: string | undefined;
      readonly when?: "steer" | "queue";
    }
  | { readonly kind: "lead"; readonly agent: string; readonly from: string | undefined }
  | {
      readonly kind: "turn";
      readonly agent: string;
      readonly turn: number;
      readonly runId: string;
      readonly blocks: Block[];
    }
  | { readonly kind: "note"; readonly text: string; readonly isBad: boolean; readonly runId: string }
);

type WithoutRev<T> = T extends unknown ? Omit<T, "rev" | "key"> : never;

/** A conversation as it is shown: messages of the past, and events as they come. */
export class ChatItems {
  items: Item[] = [];
  /** The agent that has the lead. */
  lead: string | undefined;
  #calls = new Map<string, readonly [CallItem, Item]>();
  #count = 0;

  add(item: WithoutRev<Item>): Item {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same item, with what all have
    const whole = { ...item, rev: 0, key: String(++this.#count) } as Item;
    this.items = [...this.items, whole];
    return whole;
  }

  /** Takes away what belongs to a run, and all behind it. */
  removeFrom(runId: string): string | undefined {
    const at = this.items.findIndex((item) => item.kind === "user" && item.runId === runId);
    if (at < 0) return undefined;
    const removed = this.items[at];
    this.items = this.items.slice(0, at);
    const last = this.items.findLast((item) => item.kind === "turn" || item.kind === "lead");
    this.lead = last && "agent" in last ? last.agent : undefined;
    return removed?.kind === "user" ? removed.text : undefined;
  }

  /** The run of the last message of the user. */
  get lastRun(): string | undefined {
    const last = this.items.findLast((item) => item.kind === "user" && item.runId !== undefined);
    return last?.kind === "user" ? last.runId : undefined;
  }

  /** Shows what was said before. */
  readMessages(messages: readonly Message[], runId: string): void {
    let turn = 0;
    for (const message of messages) {
      if (message.role === "user") {
        this.add({ kind: "user", text: textOf(message.content), runId });
        turn = 0;
      }
      if (message.role === "assistant") {
        const item = this.#turn(message.agent ?? this.lead ?? "", ++turn, runId);
        for (const part of message.content) {
          if ((part.type === "text" || part.type === "reasoning") && part.text !== "")
            item.blocks.push({ type: part.type, text: part.text });
        }
        for (const { toolCallId, toolName, arguments: text } of message.toolCalls) {
          const call = this.#call(item, toolCallId, toolName);
          call.arguments = text;
          call.isWriting = false;
        }
      }
      if (message.role === "tool") this.#end(message.result);
    }
  }

  /** Notes which calls wait. */
  wait(toolCallId: string, approvalId: string): void {
    const [call, item] = this.#calls.get(toolCallId) ?? [];
    if (!call || !item) return;
    call.approvalId = approvalId;
    item.rev++;
  }

  /** Notes what a person decided. */
  decide(approvalId: string, text: string): void {
    for (const [call, item] of this.#calls.values()) {
      if (call.approvalId !== approvalId) continue;
      delete call.approvalId;
      call.decided = text;
      item.rev++;
    }
  }

  /** Shows an event of a run. */
  apply(event: RemoteEvent, runId: string): void {
    switch (event.type) {
      case "turn-start":
        this.#turn(event.agent, event.turn, runId);
        break;
      case "text-delta":
        this.#append(runId, event.agent, "text", event.text);
        break;
      case "reasoning-delta":
        this.#append(runId, event.agent, "reasoning", event.text);
        break;
      case "tool-input-delta": {
        const [call, item] = this.#callOf(event.toolCallId, event.toolName, event.agent, runId);
        call.arguments += event.text;
        item.rev++;
        break;
      }
      case "tool-start": {
        const { toolCall, parentToolCallId } = event;
        if (parentToolCallId !== undefined)
          return this.#inner(parentToolCallId, `${toolCall.toolName}(${toolCall.arguments.slice(0, 200)})`);
        const [call, item] = this.#callOf(toolCall.toolCallId, toolCall.toolName, event.agent, runId);
        call.arguments = toolCall.arguments;
        call.isWriting = false;
        item.rev++;
        break;
      }
      case "tool-progress": {
        const [call, item] = this.#calls.get(event.toolCallId) ?? [];
        if (!call || !item) break;
        call.progress = (
          typeof event.value === "string" ? event.value : (JSON.stringify(event.value) ?? "")
        ).slice(0, 2_000);
        item.rev++;
        break;
      }
      case "tool-end":
        if (event.parentToolCallId === undefined)
          this.#end(event.result, event.durationMs, event.cached === true);
        break;
      case "hosted-call":
        this.#showHosted(event, runId);
        break;
      case "approval-request":
        this.#callOf(
          event.parentToolCallId ?? event.toolCall.toolCallId,
          event.toolCall.toolName,
          event.agent,
          runId,
        );
        this.wait(event.parentToolCallId ?? event.toolCall.toolCallId, event.approvalId);
        break;
      case "agent-event": {
        const { event: inner } = event;
        if (inner.type === "tool-start")
          this.#inner(
            event.parentToolCallId,
            `${inner.toolCall.toolName}(${inner.toolCall.arguments.slice(0, 200)})`,
          );
        else if (inner.type === "turn-start")
          this.#inner(event.parentToolCallId, `${inner.agent}, turn ${inner.turn}`);
        break;
      }
      case "user-message":
        this.add({ kind: "user", text: textOf(event.message.content), runId: undefined, when: event.when });
        break;
      case "events-dropped":
        this.add({
          kind: "note",
          text: `${event.count} events were dropped: the run has all of them.`,
          isBad: false,
          runId,
        });
        break;
      case "run-end":
        this.#finish(event, runId);
        break;
      case "handoff":
      case "output-delta":
      case "turn-end":
      case "turn-restart":
        break;
    }
  }

  /** A call that the provider executes is a card like others; its event comes at the beginning and at the end. */
  #showHosted({ call: hosted, agent }: Extract<RemoteEvent, { type: "hosted-call" }>, runId: string): void {
    const [call, item] = this.#callOf(hosted.id, hosted.name, agent, runId);
    call.arguments = JSON.stringify(hosted.input ?? {});
    call.isWriting = false;
    if (hosted.status !== "running") {
      call.outcome = hosted.status === "completed" ? "success" : "error";
      const output = "results" in hosted ? hosted.results : "output" in hosted ? hosted.output : undefined;
      const result = hosted.error ?? (output === undefined ? undefined : JSON.stringify(output));
      if (result !== undefined) call.result = result;
    }
    item.rev++;
  }

  #finish(event: Extract<RemoteEvent, { type: "run-end" }>, runId: string): void {
    for (const [call, item] of this.#calls.values()) {
      if (!call.isWriting) continue;
      call.isWriting = false;
      item.rev++;
    }
    const { status, error } = event;
    if (status === "completed" || status === "paused") return;
    const text = status === "cancelled" ? "Stopped." : (error?.message ?? `The run ended: ${status}.`);
    this.add({ kind: "note", text, isBad: status !== "cancelled", runId });
  }

  #turn(agent: string, turn: number, runId: string): Extract<Item, { kind: "turn" }> {
    if (agent !== this.lead) this.add({ kind: "lead", agent, from: this.lead });
    this.lead = agent;
    const last = this.items.at(-1);
    if (last?.kind === "turn" && last.agent === agent && last.turn === turn && last.runId === runId)
      return last;
    const item = this.add({ kind: "turn", agent, turn, runId, blocks: [] });
    return item.kind === "turn" ? item : { kind: "turn", agent, turn, runId, blocks: [], rev: 0, key: "" };
  }

  #current(agent: string, runId: string): Extract<Item, { kind: "turn" }> {
    const last = this.items.findLast((item) => item.kind === "turn");
    return last?.kind === "turn" && last.runId === runId ? last : this.#turn(agent, 1, runId);
  }

  #append(runId: string, agent: string, type: "text" | "reasoning", text: string): void {
    const item = this.#current(agent, runId);
    const last = item.blocks.at(-1);
    if (last?.type === type) last.text += text;
    else item.blocks.push({ type, text });
    item.rev++;
  }

  #callOf(id: string, name: string, agent: string, runId: string): readonly [CallItem, Item] {
    const entry = this.#calls.get(id);
    if (entry && entry[0].outcome === undefined) return entry;
    const item = this.#current(agent, runId);
    return [this.#call(item, id, name), item];
  }

  #call(item: Extract<Item, { kind: "turn" }>, toolCallId: string, toolName: string): CallItem {
    const call: CallItem = { toolCallId, toolName, arguments: "", isWriting: true, inner: [] };
    item.blocks.push({ type: "call", call });
    item.rev++;
    this.#calls.set(toolCallId, [call, item]);
    return call;
  }

  #inner(toolCallId: string, text: string): void {
    const [call, item] = this.#calls.get(toolCallId) ?? [];
    if (!call || !item) return;
    if (call.inner.length < 200) call.inner.push(text);
    item.rev++;
  }

  #end(result: ToolResult, durationMs?: number, isCached = false): void {
    const [call, item] = this.#calls.get(result.toolCallId) ?? [];
    if (!call || !item) return;
    call.outcome = result.outcome;
    call.isWriting = false;
    delete call.approvalId;
    call.result = result.content.map((part) => ("text" in part ? part.text : `[${part.type}]`)).join("\n");
    if (durationMs !== undefined) call.durationMs = durationMs;
    if (isCached) call.isCached = true;
    item.rev++;
  }
}

function textOf(content: string | readonly { readonly type: string; readonly text?: string }[]): string {
  if (typeof content === "string") return content;
  return content.map((part) => part.text ?? `[${part.type}]`).join("\n");
}

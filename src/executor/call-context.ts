import type { Message } from "../message/messages.ts";
import type { StepKey } from "../message/step-key.ts";
import type { Model } from "../model/types.ts";
import type { AgentLike } from "../tool/agent-like.ts";
import type { ToolContext } from "../tool/tool-context.ts";
import { memoize } from "../base/util/memoize.ts";
import { frozenCopy } from "../base/util/snapshot.ts";
import { callTool } from "./call-tool.ts";
import type { LazySignal } from "./settle.ts";
import { stepOfCall } from "./step-of-call.ts";
import type { ReadyCall } from "./types.ts";

/** Messages as tools may see them: what they change of a history must not be the history. */
const frozenMessage = memoize((message: Message) => frozenCopy(message));

/** The `ToolContext` of one call. Bench row "loop, a turn of 50": what few tools use is created when it is read. */
export class CallContext implements ToolContext<unknown> {
  readonly #ready: ReadyCall;
  readonly #signal: LazySignal;
  /** How often each tool was called and each agent run from here. */
  #counts: Map<string, number> | undefined;
  #isClosed = false;
  /** Changes to the run's context by tools that were called from here. */
  changes: Readonly<Record<string, unknown>> | undefined;

  constructor(ready: ReadyCall, signal: LazySignal) {
    this.#ready = ready;
    this.#signal = signal;
  }

  get context(): unknown {
    return this.#ready.scope.context;
  }

  get signal(): AbortSignal {
    return this.#signal.signal;
  }

  get isOver(): boolean {
    return this.#isClosed || this.#signal.aborted;
  }

  get agent(): AgentLike | undefined {
    return this.#ready.scope.agent;
  }

  get model(): Model | undefined {
    return this.#ready.scope.model;
  }

  get toolCallId(): string {
    return this.#ready.call.toolCallId;
  }

  get idempotencyKey(): string {
    const { scope, call } = this.#ready;
    // With the turn: a provider may number the calls of each answer from the start.
    return `${scope.runId}:${scope.turn ?? 0}:${call.toolCallId}`;
  }

  get messages(): readonly Message[] {
    return Object.freeze(this.#ready.scope.messages.map(frozenMessage));
  }

  // Functions, not methods: tools take them out of the context by destructuring.
  get progress(): (value: unknown) => void {
    return (value) => {
      if (!this.isOver) this.#ready.scope.observer.progress(this.#ready.call, value);
    };
  }

  get call(): (toolName: string, args: unknown) => Promise<unknown> {
    return (toolName, args) => this.#callTool(toolName, args);
  }

  get runAgent(): (agent: AgentLike, input: string) => Promise<string> {
    return async (agent, input) => {
      this.#assertOpen(agent.name);
      const { call, scope } = this.#ready;
      const count = this.#count(`run/${agent.name}`);
      const id = count === 1 ? agent.name : `${agent.name}/${count}`;
      const step: StepKey = { ...stepOfCall(call, scope), kind: "run", id, parent: stepOfCall(call, scope) };
      return scope.runAgent(agent, input, step, this.signal);
    };
  }

  /** Counts calls from the start: those of another attempt at the same call are the same calls, with the same idempotency keys. */
  restart(): void {
    this.#counts = undefined;
  }

  /** From now on the tool reports and calls nothing any more: its result is there. */
  close(): void {
    this.#isClosed = true;
  }

  #count(name: string): number {
    this.#counts ??= new Map();
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return count;
  }

  #assertOpen(name: string): void {
    if (this.isOver) throw new Error(`${name} was not called: ${this.#ready.call.toolName} is over.`);
  }

  async #callTool(toolName: string, args: unknown): Promise<unknown> {
    this.#assertOpen(toolName);
    const toolCallId = `${this.toolCallId}/${toolName}/${this.#count(`call/${toolName}`)}`;
    const argumentsText = JSON.stringify(args ?? {});
    const { value, context } = await callTool(
      this.#ready,
      { toolCallId, toolName, arguments: argumentsText },
      this.signal,
    );
    if (context) this.changes = { ...this.changes, ...context };
    return value;
  }
}

import type { ToolCall } from "../message/messages.ts";
import type { AgentLike } from "../tool/agent-like.ts";
import type { ToolContext } from "../tool/types.ts";
import { textOf, valueOf } from "./finalize.ts";
import type { LazySignal } from "./settle.ts";
import type { ExecutionScope, ReadyCall } from "./types.ts";

/** How many tools may call each other within one call. */
const deepestCall = 16;

/** The `ToolContext` of one call. A class, so that a call which asks for nothing costs one small object. */
export class CallContext implements ToolContext<unknown> {
  readonly #ready: ReadyCall;
  readonly #signal: LazySignal;

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
    return this.#signal.aborted;
  }

  get agent(): AgentLike | undefined {
    return this.#ready.scope.agent;
  }

  get toolCallId(): string {
    return this.#ready.call.toolCallId;
  }

  get idempotencyKey(): string {
    return `${this.#ready.scope.runId}:${this.#ready.call.toolCallId}`;
  }

  get messages(): ExecutionScope["messages"] {
    return this.#ready.scope.messages;
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
    return (agent, input) => this.#ready.scope.runAgent(agent, input, this.#ready.call, this.signal);
  }

  async #callTool(toolName: string, args: unknown): Promise<unknown> {
    const { call, scope, depth, execute } = this.#ready;
    if (depth >= deepestCall) {
      throw new Error(`${toolName} was not called: tools have called each other ${deepestCall} deep.`);
    }
    const inner: ToolCall = {
      toolCallId: `${call.toolCallId}/${toolName}`,
      toolName,
      arguments: JSON.stringify(args ?? {}),
    };
    const outcome = await execute(inner, { ...scope, signal: this.signal }, depth + 1);
    if ("waiting" in outcome) {
      throw new Error(
        `${toolName} was not called: it needs a person's approval, so the model has to ask for it.`,
      );
    }
    if (outcome.result.isError) throw new Error(textOf(outcome.result));
    return valueOf(outcome.result);
  }
}

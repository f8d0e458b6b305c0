import { toolAgentOf } from "../tool/agent-like.ts";
import type { Message, ToolCall } from "../message/messages.ts";
import { runIdWithin, type StepKey } from "../message/step-key.ts";
import type { Model } from "../model/types.ts";
import type { AgentLike } from "../tool/agent-like.ts";
import { assertAgentRunOptions } from "../tool/agent-run-options.ts";
import type { ToolContext } from "../tool/tool-context.ts";
import type { NamingContext, NamingScope } from "../tool/tool-names.ts";
import { mergeOwn } from "../base/util/snapshot.ts";
import { fingerprint } from "../base/util/fingerprint.ts";
import { argumentsText } from "./arguments-text.ts";
import { callTool, readOutcome } from "./call-tool.ts";
import type { LazySignal } from "./settle.ts";
import { stepOfCall } from "./step-of-call.ts";
import type { AgentRequest, CallOutcome, PausedAgent, ReadyCall, WorkWithin } from "./types.ts";

/** A key as services accept it in a header: visible ASCII. Different keys stay different. */
function asHeader(key: string): string {
  return key.replaceAll(/[^!-~]/g, (unit) => `%u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The `ToolContext` of one call. Bench row "loop, a turn of 50": what few tools use is created when it is read. */
export class CallContext implements ToolContext<unknown>, NamingContext {
  readonly #ready: ReadyCall;
  readonly #signal: LazySignal;
  /** How often each tool was called, and each agent run, with the same input from here. */
  #counts: Map<string, number> | undefined;
  #isClosed = false;
  #starting: Promise<WorkWithin> | undefined;
  #underWay: Set<{ readonly name: string }> | undefined;
  /** What is done from here, once something is. */
  work: WorkWithin | undefined;
  /** Changes to the run's context by each call from here, in the order in which the calls were made. */
  #changes: (Readonly<Record<string, unknown>> | undefined)[] | undefined;
  #callCount = 0;

  constructor(ready: ReadyCall, signal: LazySignal) {
    this.#ready = ready;
    this.#signal = signal;
  }

  /** Changes to the run's context by tools that were called from here: of two side by side, the one called later wins. */
  get changes(): Readonly<Record<string, unknown>> | undefined {
    return this.#changes && mergeOwn(this.#changes);
  }

  get naming(): NamingScope {
    const { scope, tool } = this.#ready;
    return { ...scope, tool };
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
    // The whole path, escaped: a model chooses the ids of its calls, and may choose that of a call within another one.
    return asHeader(runIdWithin(stepOfCall(call, scope)));
  }

  get messages(): readonly Message[] {
    // Those of a run are frozen: what tools change of a history must not be the history.
    return Object.freeze(this.#ready.scope.messages.slice());
  }

  // Functions, not methods: tools take them out of the context by destructuring.
  get progress(): (value: unknown) => void {
    return (value) => {
      if (!this.isOver) this.#ready.scope.observer.progress(this.#ready.call, value);
    };
  }

  get call(): (toolName: string, args: unknown) => Promise<unknown> {
    return (toolName, args) => this.#watch(toolName, this.#callTool(toolName, args));
  }

  get runAgent(): ToolContext["runAgent"] {
    return (agent, input, options) => this.#watch(agent.name, this.#runAgent(agent, input, options));
  }

  /** The tools and agents that were called from here and are not done. */
  get underWay(): readonly string[] {
    return this.#underWay ? [...this.#underWay].map(({ name }) => name) : [];
  }

  /** Counts calls from the start: those of another attempt at the same call are the same calls, with the same idempotency keys. */
  restart(): void {
    this.#counts = undefined;
  }

  /** From now on the tool reports and calls nothing any more: its result is there. */
  close(): void {
    this.#isClosed = true;
  }

  /**
   * Names what the tool calls by what it passes on: a tool that is executed again may make its calls in another order, and each must
   * find what came of itself.
   */
  #name(callee: string, input: string): string {
    const name = `${callee}/${fingerprint(input)}`;
    this.#counts ??= new Map();
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return count === 1 ? name : `${name}/${count}`;
  }

  #assertOpen(name: string): void {
    if (this.isOver) throw new Error(`${name} was not called: ${this.#ready.call.toolName} is over.`);
  }

  /** A tool may start two calls and await one after the other: the failure of the second must not end the process. */
  #watch<T>(name: string, work: Promise<T>): Promise<T> {
    const entry = { name };
    const underWay = (this.#underWay ??= new Set()).add(entry);
    const remove = (): void => void underWay.delete(entry);
    work.then(remove, remove);
    return work;
  }

  async #runAgent(...[agent, input, options = {}]: Parameters<ToolContext["runAgent"]>): Promise<string> {
    this.#assertOpen(agent.name);
    assertAgentRunOptions(options, `context.runAgent(${agent.name}, ...)`);
    const { call, scope } = this.#ready;
    // An agent as a tool is run once for a call: what its message is made of, such as the time, may be another by then.
    const isTool = toolAgentOf(this.#ready.tool) === agent;
    const id = this.#name(agent.name, isTool ? "" : input);
    const step: StepKey = { ...stepOfCall(call, scope), kind: "run", id, parent: stepOfCall(call, scope) };
    const request: AgentRequest = { agent, input, options, step, signal: this.signal };
    const answer = await this.#track(step, undefined, () => scope.runAgent(request));
    if (typeof answer === "string") return answer;
    throw new TypeError("an agent waits for decisions where nobody can make them");
  }

  async #callTool(toolName: string, args: unknown): Promise<unknown> {
    this.#assertOpen(toolName);
    const text = argumentsText(args);
    const toolCallId = `${this.toolCallId}/${this.#name(toolName, text)}`;
    const place = this.#callCount++;
    const inner = { toolCallId, toolName, arguments: text };
    const { call, scope } = this.#ready;
    const step = stepOfCall(inner, { ...scope, step: stepOfCall(call, scope) });
    const outcome = await this.#track(step, inner, () => callTool(this.#ready, inner, this.signal));
    const { value, context } = readOutcome(inner, outcome);
    if (context) (this.#changes ??= [])[place] = context;
    return value;
  }

  async #track<T extends string | PausedAgent | CallOutcome>(
    step: StepKey,
    inner: ToolCall | undefined,
    perform: () => Promise<T>,
  ): Promise<T> {
    const { call, scope } = this.#ready;
    if (!scope.startWork) return perform();
    this.#starting ??= scope.startWork(stepOfCall(call, scope));
    this.work = await this.#starting;
    return this.work.track(step, inner, perform);
  }
}

import { describeValue } from "../base/options/known-options.ts";
import { ignoreRejections } from "../base/util/dropped-promises.ts";
import { toolAgentOf } from "../tool/agent-like.ts";
import type { Message, ToolCall } from "../message/messages.ts";
import { runIdWithin, type StepKey, toolAgentId } from "../message/step-key.ts";
import { InvalidInputError } from "../errors.ts";
import type { Model } from "../model/types.ts";
import type { AgentLike } from "../tool/agent-like.ts";
import { type AgentRunOptions, assertAgentRunOptions } from "../tool/agent-run-options.ts";
import type { ToolContext } from "../tool/tool-context.ts";
import type { NamingContext, NamingScope } from "../tool/tool-names.ts";
import { isPromiseLike } from "../base/util/promise-like.ts";
import { fingerprint } from "../base/util/fingerprint.ts";
import { successesOf } from "../message/successes.ts";
import { AgentPlaces } from "./agent-place.ts";
import { argumentsText } from "./arguments-text.ts";
import { callTool, passOn, readOutcome } from "./call-tool.ts";
import { type Change, InnerCalls } from "./inner-calls.ts";
import type { LazySignal } from "./settle.ts";
import { stepOfCall } from "./step-of-call.ts";
import { changesOfStep, maskedStep, type NamedPart, ownStep, stepText, withName } from "./tool-steps.ts";
import type {
  AboutStep,
  AgentRequest,
  CallOutcome,
  PausedAgent,
  ReadyCall,
  Sleep,
  WorkWithin,
} from "./types.ts";

/** A key as services accept it in a header: visible ASCII. Different keys stay different. */
function asHeader(key: string): string {
  return key.replaceAll(/[^!-~]/g, (unit) => `%u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** How many calls of a tool that failed the model is shown. */
const mostNoted = 50;

/** What a step has returned, as JSON, and what the calls within it have changed. */
interface Returned {
  readonly text: string;
  readonly changes: ReadonlyMap<string, Change>;
}

/** The `ToolContext` of one call. Bench row "loop, a turn of 50": what few tools use is created when it is read. */
export class CallContext implements ToolContext<unknown>, NamingContext {
  readonly #ready: ReadyCall;
  readonly #signal: LazySignal;
  /** How often each tool was called, and each agent run, with the same input from here. */
  #counts: Map<string, number> | undefined;
  /** Where the agents are that were run from here. */
  #places: AgentPlaces | undefined;
  #isClosed = false;
  #starting: Promise<WorkWithin> | undefined;
  #underWay: Map<Promise<unknown>, string> | undefined;
  #succeeded: string[] | undefined;
  /** The names of the tools that were called from here and succeeded, each once, in all attempts at the call. */
  successes: readonly string[] = [];
  /** The names of its steps, sleeps and tokens. */
  #names: Set<string> | undefined;
  /** What steps have returned, in all attempts at the call. */
  #returned: Map<string, Returned> | undefined;
  /** What is done from here, once something is. */
  work: WorkWithin | undefined;
  #inner: InnerCalls | undefined;

  constructor(ready: ReadyCall, signal: LazySignal) {
    this.#ready = ready;
    this.#signal = signal;
  }

  /** Changes to the run's context by tools that were called from here. */
  get changes(): Change {
    return this.#inner?.changes;
  }

  get #innerCalls(): InnerCalls {
    return (this.#inner ??= new InnerCalls());
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
      // A listener may read little of it, or nothing.
      ignoreRejections(value);
      if (!this.isOver) this.#ready.scope.observer.progress(this.#ready.call, value);
    };
  }

  get call(): (toolName: string, args: unknown) => Promise<unknown> {
    return (toolName, args) => this.#watch(toolName, this.#callTool(toolName, args));
  }

  /** The same for a caller that shows a model what it gets: without what is masked. */
  get callVisible(): (toolName: string, args: unknown) => Promise<unknown> {
    return (toolName, args) => this.#watch(toolName, this.#callTool(toolName, args, true));
  }

  /** The same for a caller whose own result that of the call is to be: the tool returns what it gets. */
  get callInPlace(): (toolName: string, args: unknown) => Promise<unknown> {
    return (toolName, args) => this.#watch(toolName, this.#callTool(toolName, args, true, passOn));
  }

  get step(): ToolContext["step"] {
    return (name, perform) => this.#watch(`the step "${name}"`, this.#step(name, perform));
  }

  get sleep(): ToolContext["sleep"] {
    return (name, until) => this.#watch(`the sleep "${name}"`, this.#sleep(name, until));
  }

  get waitFor(): ToolContext["waitFor"] {
    return (token, options = {}) => this.#watch(`the wait for "${token}"`, this.#waitFor(token, options));
  }

  get runAgent(): ToolContext["runAgent"] {
    return (agent, input, options) => this.#watch(agent.name, this.#runAgent(agent, input, options));
  }

  /** The tools and agents that were called from here and are not done. */
  get underWay(): readonly string[] {
    return this.#underWay ? [...this.#underWay.values()] : [];
  }

  /** The tools and agents that were called from here and succeeded; the first fifty. */
  get succeeded(): readonly string[] {
    return this.#succeeded ?? [];
  }

  /** Waits for what was called from here and is not done. */
  async idle(): Promise<void> {
    while (this.#underWay?.size) await Promise.allSettled(this.#underWay.keys());
  }

  /** Counts calls from the start: those of another attempt at the same call are the same calls, with the same idempotency keys. */
  restart(): void {
    this.#succeeded = undefined;
    this.#names = undefined;
    this.#counts = undefined;
    this.#places = undefined;
    this.#inner?.restart();
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
    return this.#count(`${callee}/${fingerprint(input)}`);
  }

  #count(name: string): string {
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
    const underWay = (this.#underWay ??= new Map()).set(work, name);
    const remove = (): void => void underWay.delete(work);
    const note = (): void => {
      remove();
      this.#succeeded ??= [];
      if (this.#succeeded.length < mostNoted) this.#succeeded.push(name);
    };
    work.then(note, remove);
    return work;
  }

  async #runAgent(...[agent, input, options = {}]: Parameters<ToolContext["runAgent"]>): Promise<string> {
    this.#assertOpen(agent.name);
    const place = `context.runAgent(${agent.name}, ...)`;
    assertAgentRunOptions(options, place);
    if (isPromiseLike(input)) {
      ignoreRejections(input);
      throw new TypeError(`The input of ${place} is a Promise. Await it.`);
    }
    const read: unknown = input;
    if (typeof read !== "string")
      throw new InvalidInputError(
        `The input of ${place} must be a text, not ${describeValue(read)}. Pass what the agent is to read as one string.`,
      );
    const { call, scope } = this.#ready;
    // An agent as a tool is run once for a call: what its message is made of, such as the time, may be another by then.
    const own = toolAgentOf(this.#ready.tool);
    const id = own === agent ? this.#count(toolAgentId) : this.#name(agent.name, input);
    const toolIsOf = own === agent ? "agent" : own ? "another" : "code";
    this.#places ??= new AgentPlaces(stepOfCall(call, scope), scope.earlierSteps);
    const { step, earlierWay, unclear } = this.#places.use({ name: agent.name, input, id, toolIsOf });
    // Nothing begins beside what may be its own work.
    if (!unclear && (earlierWay ? earlierWay === "detached" : await this.#isDetached(step, options)))
      return this.#runDetached(agent, input, step);
    const request: AgentRequest = { agent, input, options, step, signal: this.signal, unclear };
    const answer = await this.#track(step, undefined, () => scope.runAgent(request));
    if (typeof answer === "string") return answer;
    throw new TypeError("an agent waits for decisions where nobody can make them");
  }

  /** Whether an agent that has not begun, as far as its call knows, is a run of its own. A process may have died once it had started that. */
  async #isDetached(step: StepKey, { detached = false }: AgentRunOptions): Promise<boolean> {
    const { durable } = this.#ready.scope;
    return durable !== undefined && (detached || durable.hasStarted(step));
  }

  async #runDetached({ name }: AgentLike, input: string, step: StepKey): Promise<string> {
    const { context, durable } = this.#ready.scope;
    const run = await this.#remember(ownStep("runAgent", step.id), () => {
      if (durable) return durable.startDetached({ agent: name, input, context, step });
      throw new Error(`${name} is a run of its own, which only a durable run can start.`);
    });
    return String(await this.#wait("run", step.id, { run }));
  }

  async #step<T>(name: string, perform: () => T | Promise<T>): Promise<T> {
    this.#addName("step", name);
    const { text, changes } = this.#returned?.get(name) ?? (await this.#perform(name, perform));
    this.#innerCalls.add(changes);
    const { value }: { readonly value: T } = JSON.parse(text);
    return value;
  }

  /** Performs a step with the calls within it, or finds what came of it. */
  async #perform(name: string, perform: () => unknown): Promise<Returned> {
    let returned: Returned | undefined;
    let isMasked = false;
    const write = async (): Promise<string> => {
      const { value, changes } = await this.#innerCalls.perform(perform, () => (isMasked = true));
      returned = { text: stepText(value, name, changes), changes };
      return isMasked ? maskedStep : returned.text;
    };
    const read = async (text: string): Promise<string> => {
      // What was not kept of its value is only known to who has performed it.
      if (text === maskedStep) return returned ? text : write();
      if (text !== returned?.text) returned = { text, changes: changesOfStep(text) };
      return text;
    };
    await this.#keep(name, write, read, { isMasked: () => isMasked });
    if (!returned) throw new TypeError(`The step "${name}" was not performed.`);
    (this.#returned ??= new Map()).set(name, returned);
    return returned;
  }

  /** Performs a step of the framework's own, or returns what came of it. */
  async #remember<T>(name: string, perform: () => T | Promise<T>, isWait = false): Promise<T> {
    const write = async (): Promise<string> => stepText(await perform(), name);
    const text =
      this.#returned?.get(name)?.text ?? (await this.#keep(name, write, (stored) => stored, { isWait }));
    (this.#returned ??= new Map()).set(name, { text, changes: new Map() });
    const { value }: { readonly value: T } = JSON.parse(text);
    return value;
  }

  /**
   * Has the run keep what a step comes to.
   * @param read - Receives what is kept.
   */
  #keep(
    name: string,
    write: () => Promise<string>,
    read: (text: string) => string | Promise<string>,
    about: AboutStep,
  ): Promise<string> {
    const { call, scope } = this.#ready;
    const parent = stepOfCall(call, scope);
    const key: StepKey = { ...parent, kind: "step", id: name, parent };
    const perform = async (): Promise<string> => read(await (scope.rememberText?.(key, write) ?? write()));
    return this.#track(key, undefined, perform, about);
  }

  async #sleep(name: string, until: number | Date): Promise<void> {
    ignoreRejections(until);
    this.#addName("sleep", name);
    const waits = await this.#ready.scope.features.loadWaits();
    const { isLeft, ...input } = await this.#timeOf(ownStep("sleep", name), `The sleep "${name}"`, until);
    if (!isLeft) return waits.sleepHere(input.until, this.signal);
    await this.#wait("sleep", name, input);
  }

  async #waitFor(token: string, { timeout }: { readonly timeout?: number }): Promise<unknown> {
    this.#addName("token", token);
    const { scope, call } = this.#ready;
    if (!scope.startWork)
      throw new Error(
        `${call.toolName} cannot wait for "${token}" outside a run: nothing could go on with it.`,
      );
    if (timeout === undefined) return this.#wait("waitFor", token, { token });
    const what = `The timeout of the token "${token}"`;
    const { until } = await this.#timeOf(ownStep("waitFor", token), what, timeout);
    return this.#wait("waitFor", token, { token, until });
  }

  #addName(part: NamedPart, name: string): void {
    this.#assertOpen(`The ${part} "${name}"`);
    this.#names = withName(this.#names, part, name, this.#ready.call.toolName);
  }

  /** When a wait ends. It is stated once: where the tool is executed again, part of the time has passed. */
  async #timeOf(step: string, what: string, until: number | Date): Promise<Sleep> {
    const waits = await this.#ready.scope.features.loadWaits();
    return this.#remember(step, () => waits.readSleep(what, until, this.#ready), true);
  }

  async #wait(kind: "sleep" | "waitFor" | "run", id: string, input: object): Promise<unknown> {
    const waits = await this.#ready.scope.features.loadWaits();
    return waits.waitWithin(this.#ready, kind, id, input, this.signal, (inner, perform) =>
      this.#makeCall(inner, perform, true),
    );
  }

  #makeCall(inner: ToolCall, perform: () => Promise<CallOutcome>, isWait = false): Promise<CallOutcome> {
    const { call, scope } = this.#ready;
    const step = stepOfCall(inner, { ...scope, step: stepOfCall(call, scope) });
    return this.#track(step, inner, perform, { isWait });
  }

  async #callTool(toolName: string, args: unknown, isVisible = false, read = readOutcome): Promise<unknown> {
    this.#assertOpen(toolName);
    const text = argumentsText(args);
    const toolCallId = `${this.toolCallId}/${this.#name(toolName, text)}`;
    const inner = { toolCallId, toolName, arguments: text };
    const note = this.#innerCalls.begin(toolCallId);
    // As they are now: of calls side by side, none is earlier.
    const { successes } = this;
    const outcome = await this.#makeCall(inner, () =>
      callTool(this.#ready, inner, this.signal, successes, isVisible),
    );
    note(outcome);
    if ("result" in outcome)
      this.successes = [...new Set([...this.successes, ...successesOf(outcome.result)])];
    return read(inner, outcome);
  }

  async #track<T extends string | PausedAgent | CallOutcome>(
    step: StepKey,
    inner: ToolCall | undefined,
    perform: () => Promise<T>,
    about?: AboutStep,
  ): Promise<T> {
    const { call, scope } = this.#ready;
    if (!scope.startWork) return perform();
    this.#starting ??= scope.startWork(stepOfCall(call, scope));
    this.work = await this.#starting;
    return this.work.track(step, inner, perform, about);
  }
}

import type { AnyAgent } from "../../agent/agent.ts";
import type { GuardError } from "../../errors.ts";
import type { NestedRequest } from "../../executor/types.ts";
import type { FinishReason } from "../../message/messages.ts";
import type { Blocked, CallChanges, RunState, SentMessage } from "../../message/run-state.ts";
import { openParts, textOfAnswers } from "../../message/answer-parts.ts";
import { noUsage } from "../../message/usage.ts";
import type { RunWatch } from "../steps/instrument.ts";
import { frozen } from "../../base/util/snapshot.ts";
import type { Generation, Model } from "../../model/types.ts";
import { ToolNames } from "../../tool/tool-names.ts";
import { unreadMessages } from "../resume/input.ts";
import type { AgentRun } from "../result-types.ts";
import type { OutputCollector } from "../turn/turn.ts";
import { inCallOrder, withChanges } from "./call-changes.ts";
import type { Conversation } from "./conversation.ts";
import type { Meters } from "./meters.ts";
import type { Outcome } from "./outcome.ts";
import { NotesOfRun, prefixOfAnswers } from "./notes-of-run.ts";
import type { RunConfig } from "./run-config.ts";

const mostWarnings = 100;
const mostAgentRuns = 100;
const noAgentRuns: readonly AgentRun[] = [];
const noMessages: readonly SentMessage[] = [];

/** What a run has of its last answer; of one that is still coming, the text so far. */
export interface LastAnswer {
  readonly text: string;
  readonly finishReason: FinishReason;
  readonly rawFinishReason: string | undefined;
}

/**
 * A run while it runs. Its configuration is fixed once it is open, its conversation and its meters only grow, it ends once;
 * who is active, with which context and model, changes through the methods here.
 */
export class ActiveRun {
  readonly conversation: Conversation;
  readonly meters: Meters;
  /** Which tools the names lead to that its calls have had. */
  readonly toolNames: ToolNames;
  /** What middlewares keep with it. */
  readonly notes: NotesOfRun = new NotesOfRun();
  /** The calls of the batch under way that have reached their tools, by their ids. */
  readonly underWay: Set<string> = new Set<string>();
  /** Whether its session says that it has gone on from where it stood: that is stored before it does anything. */
  hasGoneOn = false;
  /** Whether an error has ended it: its calls are over. */
  hasFailed = false;
  /** Whether its last event was emitted: what is still under way then, such as a call of a tool that was cancelled, is nothing for readers. */
  hasEnded = false;
  /** Whether its last answer ends it, unless the user has said more. */
  hasAnswered = false;
  /** How often its model was called within turns for the rest of an answer. */
  furtherParts = 0;
  /** Whether an answer of a model has begun to come and has not ended. */
  isAnswerOpen = false;
  /** Whether an answer counts as one without an end: what comes of it later counts no more. */
  isAnswerLeft = false;
  /** What watches it. */
  watch: RunWatch | undefined;
  /** The error of a guard of an agent that a tool ran: the run fails with it, whatever the tool made of it. */
  guardError: GuardError | undefined;
  /** What collects the output of the turn, where it is to have one. */
  output: OutputCollector | undefined;
  readonly #warnings: string[] = [];
  #agentRuns: AgentRun[] | undefined;
  #requests: NestedRequest[] | undefined;
  /** Agents that have had an answer of their model. */
  readonly #callers = new Set<AnyAgent>();
  /** The names of those that had one before the run was resumed. */
  #earlierCallers: readonly string[] = [];
  readonly #config: RunConfig;
  #isOpen = false;
  #agent: AnyAgent;
  #nextAgent: AnyAgent | undefined;
  #context: unknown;
  #changes: readonly CallChanges[] = [];
  #model: Model | undefined;
  /** What has come of the answer that is coming; of one that comes in parts, in this one. */
  #text = "";
  /** What the last answer says, in all its parts so far; `undefined` while it comes. */
  #wholeText: string | undefined;
  #isAnswering = false;
  /** The last turn whose answer is there. */
  #answeredTurn = 0;
  #isReplayed = false;
  #finishReason: FinishReason = "other";
  #rawFinishReason: string | undefined;
  #outcome: Outcome | undefined;
  #blocked: Blocked | undefined;
  #unread: readonly SentMessage[] = noMessages;
  #received = 0;
  #takesMessages = true;

  /**
   * @param config - The run's own: `configure` changes it.
   * @param context - Frozen.
   */
  constructor(
    config: RunConfig,
    agent: AnyAgent,
    context: unknown,
    conversation: Conversation,
    meters: Meters,
  ) {
    this.#config = config;
    this.#agent = agent;
    this.#context = context;
    this.conversation = conversation;
    this.meters = meters;
    this.toolNames = new ToolNames(config.resumed !== undefined || conversation.inputLength < 2);
  }

  get config(): RunConfig {
    return this.#config;
  }

  /** The agent whose model is called, or whose calls are executed. */
  get agent(): AnyAgent {
    return this.#agent;
  }

  /** The agent that takes the next turn: another one where calls are executed that were made before a handoff. */
  get nextAgent(): AnyAgent {
    return this.#nextAgent ?? this.#agent;
  }

  /** The application's data, frozen. While calls of an answer are open, it is that of before the answer: all its calls get the same. */
  get context(): unknown {
    if (this.#changes.length > 0 && this.conversation.pending.length === 0) {
      this.#context = this.latestContext;
      this.#changes = [];
    }
    return this.#context;
  }

  /** What calls have changed that are done while others of their answer are open, in call order. */
  get changes(): readonly CallChanges[] {
    return this.#changes;
  }

  /** The context with these changes. */
  get latestContext(): unknown {
    return this.#changes.length === 0 ? this.#context : frozen(withChanges(this.#context, this.#changes));
  }

  /** The model used last in this run. */
  get model(): Model | undefined {
    return this.#model;
  }

  get lastAnswer(): LastAnswer {
    const text = this.#wholeText ?? this.textBefore + this.#text;
    return { text, finishReason: this.#finishReason, rawFinishReason: this.#rawFinishReason };
  }

  /** What the parts before it have said of the answer that comes next, since its provider paused, be it before the run was resumed. */
  get textBefore(): string {
    return textOfAnswers(openParts(this.conversation.messages));
  }

  /** What the run survived, one sentence each. */
  get warnings(): readonly string[] {
    return this.#warnings;
  }

  /** The runs of agents within this one. */
  get agentRuns(): readonly AgentRun[] {
    return this.#agentRuns ?? noAgentRuns;
  }

  /** The decisions that the run has asked for. */
  get requests(): readonly NestedRequest[] {
    return this.#requests ?? [];
  }

  /** How the run ended; `undefined` while it runs. */
  get outcome(): Outcome | undefined {
    return this.#outcome;
  }

  /** What blocks the run; `undefined` if nothing does. */
  get blocked(): Blocked | undefined {
    return this.#blocked;
  }

  /** Blocks the run: only the first time counts. */
  block(blocked: Blocked): void {
    this.#blocked ??= frozen(blocked);
  }

  /** Changes the configuration while the run is being opened. */
  configure(changes: Partial<RunConfig>): void {
    if (this.#isOpen) throw new TypeError("The configuration of a run is fixed once the run is open.");
    // Bench row "loop, a turn of 10": a copy of some twenty fields costs a run as much as half a turn.
    // oxlint-disable-next-line no-restricted-properties -- fields of the type, from the loop itself
    Object.assign(this.#config, changes);
  }

  /** Whether the configuration is fixed. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** From now on the configuration is fixed. */
  markOpen(): void {
    this.#isOpen = true;
  }

  /** Makes an agent the active one. */
  activate(agent: AnyAgent): void {
    this.#agent = agent;
    this.#nextAgent = undefined;
  }

  /** Lets an agent execute the calls that it made. Unless they hand off, the next turn is of the agent that is active now. */
  workAs(agent: AnyAgent): void {
    this.#nextAgent = this.nextAgent;
    this.#agent = agent;
  }

  /**
   * @param context - Frozen.
   * @param changes - Frozen.
   */
  replaceContext(context: unknown, changes: readonly CallChanges[]): void {
    this.#context = context;
    this.#changes = [];
    this.addChanges(changes);
  }

  /** Notes what calls of the last answer have changed. */
  addChanges(changes: readonly CallChanges[]): void {
    if (changes.length > 0)
      this.#changes = inCallOrder([...this.#changes, ...changes], this.conversation.messages);
  }

  /** Notes which model the run uses from now on. */
  useModel(model: Model): void {
    this.#model = model;
  }

  /** The names of the agents that have had an answer of their model, over all resumptions. */
  get callers(): readonly string[] {
    return [...new Set([...this.#earlierCallers, ...[...this.#callers].map(({ name }) => name)])];
  }

  /** Whether an agent has had an answer of its model, over all resumptions. */
  hasCalled(agent: AnyAgent): boolean {
    return this.#callers.has(agent) || this.#earlierCallers.includes(agent.name);
  }

  /** Continues a run: what it has used and who has called a model count on. */
  continueFrom({
    turn = 0,
    usage = noUsage,
    callers = [],
    toolNames,
    unread,
    received = 0,
    notes,
    calls,
    toolCalls = 0,
    isCallLimitReached,
    status,
    blocked,
  }: Partial<RunState>): void {
    // A run within another is one run to its caller, however often it paused.
    const own = { toolCalls, ...(isCallLimitReached && { isCallLimitReached }) };
    this.config.limits.continueFrom({ ...(calls && { calls }), ...(this.config.parent && own) });
    this.notes.continueFrom(notes);
    // It ends so again, unless the user has written something since. A run that was killed, or cancelled, may not have ended yet.
    if (blocked && (status !== "blocked" || unread === undefined)) this.block(blocked);
    if (unread) this.#unread = [...unreadMessages(unread), ...this.#unread];
    this.#received = received;
    this.toolNames.continueFrom(toolNames);
    this.meters.startFrom({ turn, usage });
    this.#answeredTurn = turn;
    this.#earlierCallers = Array.isArray(callers) ? callers : [];
  }

  /** Notes that the active agent's model is called now. */
  beginAnswer(): void {
    this.isAnswerOpen = false;
    this.isAnswerLeft = false;
    this.#isReplayed = false;
    this.#text = "";
    this.#wholeText = undefined;
    this.#isAnswering = true;
  }

  /** Notes that something which remembers steps had the answer: its calls may have been executed before. */
  replayAnswer(): void {
    this.#isReplayed = true;
  }

  /** Whether something that remembers steps had the last answer. */
  get isReplayed(): boolean {
    return this.#isReplayed;
  }

  /** Whether the last answer came before this run. */
  get isAnswerEarlier(): boolean {
    const { messages, inputLength } = this.conversation;
    return this.#isReplayed || messages.findLastIndex(({ role }) => role === "assistant") < inputLength;
  }

  /** 1 while the model of the turn answers later, or where the run failed before it had: the turn goes on where the run is resumed. */
  get unansweredTurns(): 0 | 1 {
    const { turn } = this.meters;
    const isOver = this.hasFailed || this.#outcome?.status === "cancelled";
    // What a reader has seen of an answer is one.
    const isWithoutAnswer = isOver && turn > this.#answeredTurn && this.unfinishedText === "";
    return isWithoutAnswer || this.notes.isAwaited(turn) ? 1 : 0;
  }

  /** Appends a piece of the answer: a run that is cancelled keeps the pieces so far. */
  addText(text: string): void {
    this.#text += text;
  }

  /** The text so far of an answer that is not complete; empty if there is none. */
  get unfinishedText(): string {
    return this.#isAnswering ? this.#text : "";
  }

  /** Takes over an answer that is complete, or a part of one, before it is in the conversation. */
  endAnswer({ text, finishReason, rawFinishReason }: Generation): void {
    this.#wholeText = this.textBefore + text;
    this.#isAnswering = false;
    this.#answeredTurn = this.meters.turn;
    this.#callers.add(this.#agent);
    this.notes.remove(prefixOfAnswers);
    this.#finishReason = finishReason;
    this.#rawFinishReason = rawFinishReason;
  }

  /** Adds a warning; `false` if it is there already, or there are too many. */
  addWarning(message: string): boolean {
    const warnings = this.#warnings;
    if (warnings.length > mostWarnings || warnings.includes(message)) return false;
    warnings.push(warnings.length < mostWarnings ? message : "There are more warnings, which are left out.");
    return warnings.length <= mostWarnings;
  }

  /** Adds a run of an agent within this one, unless there are too many. */
  addAgentRun(agentRun: AgentRun): void {
    this.#agentRuns ??= [];
    if (this.#agentRuns.length < mostAgentRuns) this.#agentRuns.push(agentRun);
  }

  /** Notes that the run asks for a decision. */
  addRequest(request: NestedRequest): void {
    (this.#requests ??= []).push(request);
  }

  /** What the user has sent that is not in the conversation yet. */
  get unread(): readonly SentMessage[] {
    return this.#unread;
  }

  /** How many of the messages that the store of a durable run has for it are in the run. */
  get received(): number {
    return this.#received;
  }

  /** Takes over what the store of a durable run has for it. */
  receive(all: readonly SentMessage[]): void {
    this.#unread = [...this.#unread, ...all.slice(this.#received)];
    this.#received = Math.max(this.#received, all.length);
  }

  /** Notes what the user has sent. Returns whether the run still takes it. */
  addUnread(message: SentMessage): boolean {
    if (this.#takesMessages) this.#unread = [...this.#unread, message];
    return this.#takesMessages;
  }

  /** Takes what the user has sent: it is in the conversation now. */
  markRead(messages: readonly SentMessage[]): void {
    this.#unread = this.#unread.filter((message) => !messages.includes(message));
  }

  /** From now on the run takes no message: it has stopped. */
  refuseMessages(): void {
    this.#takesMessages = false;
  }

  /** Ends the run. */
  end(outcome: Outcome): void {
    if (this.#outcome) throw new TypeError("A run ends once.");
    this.#outcome = outcome;
  }
}

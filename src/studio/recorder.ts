import { AsyncLocalStorage } from "node:async_hooks";
import { errorMessage } from "../base/util/error-message.ts";
import type { CallOutcome, SettledCall } from "../executor/types.ts";
import type { Message, ToolCall } from "../message/messages.ts";
import type { Blocked, PendingCall } from "../message/run-state.ts";
import type { Generation, Model, ModelRequest } from "../model/types.ts";
import type { WireObserver } from "../model/wire-seam.ts";
import type { RunResult } from "../run/result-types.ts";
import { type AnswerInfo, type CallInfo, middlewareWith, type StepWatch } from "../run/steps/instrument.ts";
import type { Middleware, RunInfo } from "../run/steps/middleware.ts";
import { Exchange, follow, now } from "./exchange.ts";
import type { OwnSecrets } from "./own-secrets.ts";
import type { AgentStep, ModelStep, RecordedStatus, ToolStep, WaitingCall, WaitStep } from "./records.ts";
import { type Open, type ReplayOrigin, RunRecord } from "./run-record.ts";
import type { RunRing } from "./ring.ts";
import { endWaiting, settleCalls } from "./settle-calls.ts";
import { editedArguments, textOfResult } from "./text-of-result.ts";
import { newestUserText, sizeOfMessages } from "./user-text.ts";

/** Where in a run something happens. */
interface Place {
  readonly record: RunRecord;
  /** The step around it. */
  readonly step: number | undefined;
  /** Set while a model is called. */
  readonly model?: Open<ModelStep>;
}

/** Records runs, and what their models send and receive. It changes nothing of either. */
export class Recorder {
  readonly #ring: RunRing;
  readonly #secrets: OwnSecrets;
  readonly #place = new AsyncLocalStorage<Place>();
  #isStopped = false;

  /** @param secrets - Receives the keys of the requests. */
  constructor(ring: RunRing, secrets: OwnSecrets) {
    this.#ring = ring;
    this.#secrets = secrets;
  }

  /** Lets everything pass from now on. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Watches runs: none of their pieces passes here, so that a run takes as long as it does without. */
  readonly middleware: Middleware = middlewareWith({
    begin: (info) => ({ run: (next) => this.#run(info, next), steps: this.#steps }),
  });

  readonly #steps: StepWatch = {
    answer: (request, info, next) => this.#answer(request, info, next),
    call: (call, info, next) => this.#call(call, info, next),
  };

  /** Notes the requests of recorded model calls. */
  readonly observer: WireObserver = (request, post) => {
    const { record, model } = this.#place.getStore() ?? {};
    if (!record || !model || this.#isStopped) return post();
    const { url, headers, body } = request;
    this.#secrets.note(url, headers);
    const exchange = this.#addExchange(record, model, { wire: { url, headers, body } });
    return follow(exchange, post, (bytes) => {
      if (bytes > 0) model.firstToken ??= now();
      this.#ring.changed(record, bytes);
    });
  };

  /** Notes that the run under way is a replay. */
  noteReplay(replayOf: ReplayOrigin, question: string): void {
    const { record } = this.#place.getStore() ?? {};
    if (!record) return;
    record.replayOf = replayOf;
    record.question = question;
    this.#ring.changed(record);
  }

  /** Notes that the model call under way has other instructions than its agent's. */
  noteInstructions(instructions: string): void {
    const { record, model } = this.#place.getStore() ?? {};
    const prompt = model && record?.prompts.get(model.id);
    if (prompt) record?.prompts.set(model.id, { ...prompt, instructions });
  }

  /** Notes that the call under way has its result from a run before. */
  noteReplayedCall(): void {
    const { record, step } = this.#place.getStore() ?? {};
    const current = record?.steps[(step ?? 0) - 1];
    if (current?.kind === "tool") current.replayed = true;
  }

  /** Notes a call that nothing executes: its outcome is that of a run before. */
  addReplayedCall(call: ToolCall, outcome: SettledCall): void {
    const place = this.#place.getStore();
    if (!place || this.#isStopped) return;
    const step = this.#beginCall(place, call);
    step.replayed = true;
    step.end = step.start;
    noteOutcome(step, outcome);
    place.record.outcomes.set(step.id, outcome);
    this.#ring.changed(place.record, step.result?.length ?? 0);
  }

  async #run(info: RunInfo, next: () => Promise<RunResult>): Promise<RunResult> {
    if (this.#isStopped) return next();
    const outer = this.#place.getStore();
    if (info.parent && outer) return this.#runWithin(outer, info, next);
    const record = this.#recordOf(info);
    record.context ??= info.context;
    try {
      const result = await this.#place.run({ record, step: undefined }, next);
      record.error = result.blocked && describeBlock(result.blocked);
      this.#end(record, result.status, result.pending, result.state.messages);
      return result;
    } catch (error) {
      record.error = errorMessage(error);
      this.#end(record, info.signal.aborted ? "cancelled" : "failed", []);
      throw error;
    }
  }

  /** The record of a run: a new one, or that of the same run before it paused. */
  #recordOf({ runId, agent, conversation }: RunInfo): RunRecord {
    const earlier = this.#ring.get(runId);
    if (!earlier || earlier.status === "running") {
      const record = new RunRecord(runId, conversation, agent.name, now());
      this.#ring.add(record);
      return record;
    }
    const last = earlier.steps.at(-1);
    if (last?.kind === "wait" && last.end === undefined) last.end = now();
    earlier.status = "running";
    earlier.endedAt = undefined;
    earlier.error = undefined;
    this.#ring.changed(earlier);
    return earlier;
  }

  #end(
    record: RunRecord,
    status: RecordedStatus,
    pending: readonly PendingCall[],
    messages: readonly Message[] = [],
  ): void {
    record.status = status;
    record.endedAt = now();
    settleCalls(record, messages, ({ parent }) => parent === undefined, pending);
    if (status !== "paused") endWaiting(record);
    const calls = pending.map(waitingCall);
    if (status === "paused") {
      const agent = record.steps.findLast(({ kind }) => kind === "model")?.agent ?? record.agent;
      const wait: Omit<WaitStep, "id"> = { kind: "wait", agent, turn: 0, start: record.endedAt, calls };
      record.add(wait);
    }
    this.#ring.changed(record);
  }

  /** An agent that a tool of a recorded run runs. */
  async #runWithin(outer: Place, info: RunInfo, next: () => Promise<RunResult>): Promise<RunResult> {
    const { record } = outer;
    const first: Omit<AgentStep, "id"> = {
      kind: "agent",
      agent: info.agent.name,
      turn: info.parent?.turn ?? 0,
      start: now(),
      ...within(outer),
    };
    const step: Open<AgentStep> = record.add(first);
    this.#ring.changed(record, 200);
    try {
      const result = await this.#place.run({ record, step: step.id }, next);
      step.status = result.status;
      return result;
    } catch (error) {
      step.status = info.signal.aborted ? "cancelled" : "failed";
      throw error;
    } finally {
      step.end = now();
      this.#ring.changed(record);
    }
  }

  async #answer(
    request: ModelRequest,
    { agent, model, signal }: AnswerInfo,
    next: (request: ModelRequest) => Promise<Generation>,
  ): Promise<Generation> {
    const place = this.#place.getStore();
    if (!place || this.#isStopped) return next(request);
    const { record } = place;
    const step = this.#beginAnswer(place, request, agent.name, model);
    try {
      const watched: ModelRequest = {
        ...request,
        onFailure: (failure) => {
          const { error, delayMs: delay } = failure;
          step.failures = [...(step.failures ?? []), { at: now(), error: errorMessage(error), delay }];
          this.#ring.changed(record, 200);
          request.onFailure?.(failure);
        },
      };
      const here: Place = { record, step: step.id, model: step };
      const generation = await this.#place.run(here, () => next(watched));
      noteAnswer(step, generation);
      return generation;
    } catch (error) {
      step.error = signal.aborted ? "cancelled" : errorMessage(error);
      throw error;
    } finally {
      step.end = now();
      if (step.requests.length === 0) this.#addPlain(record, step, request);
      this.#ring.changed(record, step.text.length + step.reasoning.length);
    }
  }

  #beginAnswer(
    place: Place,
    request: ModelRequest,
    agent: string,
    { provider, modelId }: Model,
  ): Open<ModelStep> {
    const { record } = place;
    const first: Omit<ModelStep, "id"> = {
      kind: "model",
      agent,
      turn: turnAt(place) + 1,
      start: now(),
      ...within(place),
      provider,
      modelId,
      text: "",
      reasoning: "",
      calls: [],
      requests: [],
    };
    if (request.tools) record.tools.set(agent, request.tools);
    const isWithin = place.step !== undefined;
    settleCalls(
      record,
      request.messages,
      (call) => (call.parent !== undefined) === isWithin && (!isWithin || call.agent === agent),
    );
    const step = record.add(first);
    this.#noteRequest(record, step.id, request, place.step === undefined);
    return step;
  }

  #noteRequest(record: RunRecord, step: number, request: ModelRequest, isOutermost: boolean): void {
    const { messages } = request;
    if (!isOutermost) return this.#ring.changed(record, 500);
    record.prompts.set(step, { instructions: request.instructions, messages });
    if (record.question === "") record.question = newestUserText(messages);
    const bytes = sizeOfMessages(messages, record.countedMessages);
    record.countedMessages = messages.length;
    // The list of the messages is its own, they themselves are those of the run.
    this.#ring.changed(record, bytes + 500 + 8 * messages.length);
  }

  /** What a model without a wire was asked. The messages are those of the run, which nobody changes. */
  #addPlain(
    record: RunRecord,
    step: Open<ModelStep>,
    { signal: _, onFailure: __, ...plain }: ModelRequest,
  ): void {
    const prompt = record.prompts.get(step.id);
    const exchange = this.#addExchange(record, step, {
      plain: { ...plain, ...(prompt?.instructions !== undefined && { instructions: prompt.instructions }) },
      model: `${step.provider}:${step.modelId}`,
    });
    exchange.sentAt = step.start;
  }

  #addExchange(
    record: RunRecord,
    step: Open<ModelStep>,
    question: ConstructorParameters<typeof Exchange>[2],
  ): Exchange {
    const exchange = new Exchange(record.exchanges.length + 1, step.id, question);
    record.exchanges.push(exchange);
    step.requests = [...step.requests, exchange.number];
    this.#ring.changed(record, exchange.length + 500);
    return exchange;
  }

  #beginCall(place: Place, call: ToolCall): Open<ToolStep> {
    const { record } = place;
    const { toolCallId, toolName, arguments: text } = call;
    const isSame = (each: ToolStep): boolean => each.toolCallId === toolCallId && each.toolName === toolName;
    const isDecided = record.steps.some((each) => each.kind === "tool" && each.waits && isSame(each));
    endWaiting(record, isSame);
    const first: Omit<ToolStep, "id"> = {
      kind: "tool",
      agent: agentAt(place),
      turn: turnAt(place),
      start: now(),
      ...within(place),
      toolCallId,
      toolName,
      arguments: text,
      ...(isDecided && { decided: true }),
    };
    const step: Open<ToolStep> = record.add(first);
    this.#ring.changed(record, text.length + 300);
    return step;
  }

  async #call(call: ToolCall, { signal }: CallInfo, next: () => Promise<CallOutcome>): Promise<CallOutcome> {
    const place = this.#place.getStore();
    if (!place || this.#isStopped) return next();
    const { record } = place;
    const step = this.#beginCall(place, call);
    try {
      const outcome = await this.#place.run({ record, step: step.id }, next);
      noteOutcome(step, outcome);
      if ("result" in outcome) record.outcomes.set(step.id, outcome);
      if (step.decided && "result" in outcome) noteEdit(record, step, outcome);
      return outcome;
    } catch (error) {
      step.error = signal.aborted ? "cancelled" : errorMessage(error);
      throw error;
    } finally {
      step.end = now();
      this.#ring.changed(record, step.result?.length ?? 0);
    }
  }
}

function noteAnswer(
  step: Open<ModelStep>,
  { message, text, usage, finishReason, response, timing }: Generation,
): void {
  const { firstTokenMs } = timing;
  step.text = text;
  step.reasoning = message.content.map((part) => (part.type === "reasoning" ? part.text : "")).join("");
  step.calls = message.toolCalls;
  step.usage = usage;
  step.finishReason = finishReason;
  step.modelId = response.modelId || step.modelId;
  if (firstTokenMs !== undefined) step.firstToken ??= step.start + firstTokenMs;
}

/** A call that waits has no result yet: for a person, or for calls within it. */
function noteOutcome(step: Open<ToolStep>, outcome: CallOutcome): void {
  if (!("result" in outcome)) {
    step.waits = true;
    return;
  }
  const { result, cached, error } = outcome;
  step.outcome = result.outcome;
  step.result = textOfResult(result);
  if (cached) step.cached = true;
  if (error !== undefined && result.outcome === "error") step.error = errorMessage(error);
}

/** Of a call that was approved with other arguments, those of the model are those that it waited with. */
function noteEdit({ steps }: RunRecord, step: Open<ToolStep>, { result }: SettledCall): void {
  if (editedArguments(result) === undefined) return;
  const earlier = steps.findLast(
    (each) => each.kind === "tool" && each.wasAsked && each.toolCallId === step.toolCallId,
  );
  step.edited = step.arguments;
  if (earlier?.kind === "tool") step.arguments = earlier.arguments;
}

/** The turn that the steps at a place are in: its model calls so far. */
function turnAt({ record, step }: Place): number {
  return record.steps.filter((each) => each.kind === "model" && each.parent === step).length;
}

/** The agent whose turn it is at a place; of a call within a call, that of the outer one. */
function agentAt({ record, step }: Place): string {
  const last = record.steps.findLast((each) => each.kind === "model" && each.parent === step);
  return last?.agent ?? record.steps[(step ?? 0) - 1]?.agent ?? record.agent;
}

function within({ step }: Place): { readonly parent?: number } {
  return step === undefined ? {} : { parent: step };
}

function waitingCall({ toolCallId, toolName, approvalId }: PendingCall): WaitingCall {
  return { toolCallId, toolName, ...(approvalId !== undefined && { approvalId }) };
}

/** What stopped a run, for the person who looks at it. */
function describeBlock({ guard, stage, reason }: Blocked): string {
  return `The guard "${guard}" blocked the run (${stage}): ${reason}`;
}

import { AsyncLocalStorage } from "node:async_hooks";
import { errorMessage } from "../base/util/error-message.ts";
import type { ToolResult } from "../message/messages.ts";
import type { PendingCall } from "../message/run-state.ts";
import type { WireObserver } from "../model/wire-seam.ts";
import type { RunResult } from "../run/result-types.ts";
import type { Middleware, RunInfo } from "../run/steps/middleware.ts";
import type { ModelEvent, ModelRequest } from "../model/types.ts";
import type { ModelStepInfo, StepMiddleware } from "../tool/step-middleware.ts";
import { Exchange, follow, now } from "./exchange.ts";
import type { AgentStep, ModelStep, RecordedStatus, ToolStep, WaitingCall, WaitStep } from "./records.ts";
import type { RunRing } from "./ring.ts";
import { type Open, RunRecord } from "./run-record.ts";
import { newestUserText, sizeOfMessages } from "./user-text.ts";

/** Where in a run something happens. */
interface Place {
  readonly record: RunRecord;
  /** The step around it. */
  readonly step: number | undefined;
  /** Set while a model is called. */
  readonly model?: Open<ModelStep>;
}

type RunFunction = NonNullable<Middleware["run"]>;
type ModelFunction = NonNullable<StepMiddleware["model"]>;
type ToolFunction = NonNullable<StepMiddleware["tool"]>;

/** Records runs as a middleware of theirs, and what their models send and receive as an observer of the wire. It changes nothing of either. */
export class Recorder {
  readonly #ring: RunRing;
  readonly #place = new AsyncLocalStorage<Place>();
  #isStopped = false;

  constructor(ring: RunRing) {
    this.#ring = ring;
  }

  /** Lets everything pass from now on. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Records the runs that it stands around. */
  readonly middleware: Middleware = {
    run: (info, next) => this.#run(info, next),
    model: (request, info, next) => this.#model(request, info, next),
    tool: (call, info, next) => this.#tool(call, info, next),
  };

  /** Notes the requests of recorded model calls. */
  readonly observer: WireObserver = (request, post) => {
    const { record, model } = this.#place.getStore() ?? {};
    if (!record || !model || this.#isStopped) return post();
    const { url, headers, body } = request;
    const exchange = this.#addExchange(record, model, { wire: { url, headers, body } });
    return follow(exchange, post, (bytes) => this.#ring.changed(record, bytes));
  };

  async #run(info: RunInfo, next: Parameters<RunFunction>[1]): Promise<RunResult> {
    if (this.#isStopped) return next();
    const outer = this.#place.getStore();
    if (info.parent && outer) return this.#runWithin(outer, info, next);
    const record = this.#recordOf(info);
    try {
      const result = await this.#place.run({ record, step: undefined }, next);
      this.#end(record, result.status, result.pending);
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

  #end(record: RunRecord, status: RecordedStatus, pending: readonly PendingCall[]): void {
    record.status = status;
    record.endedAt = now();
    const calls = pending.map(waitingCall);
    if (status === "paused") {
      const agent = record.steps.findLast(({ kind }) => kind === "model")?.agent ?? record.agent;
      const wait: Omit<WaitStep, "id"> = { kind: "wait", agent, turn: 0, start: record.endedAt, calls };
      record.add(wait);
    }
    this.#ring.changed(record);
  }

  /** An agent that a tool of a recorded run runs. */
  async #runWithin(outer: Place, info: RunInfo, next: Parameters<RunFunction>[1]): Promise<RunResult> {
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

  /** Not a generator: it would take another step for each piece of an answer. */
  #model(
    request: ModelRequest,
    info: ModelStepInfo,
    next: Parameters<ModelFunction>[2],
  ): AsyncIterable<ModelEvent> {
    const place = this.#place.getStore();
    if (!place || this.#isStopped) return next(request);
    const { record } = place;
    const step = this.#beginAnswer(place, request, info);
    const here: Place = { record, step: step.id, model: step };
    const events = next({
      ...request,
      onFailure: (failure) => {
        const { error, delayMs: delay } = failure;
        step.failures = [...(step.failures ?? []), { at: now(), error: errorMessage(error), delay }];
        this.#ring.changed(record, 200);
        request.onFailure?.(failure);
      },
    })[Symbol.asyncIterator]();
    const end = (): void => {
      if (step.end !== undefined) return;
      step.end = now();
      step.attempts = Math.max(1, info.attempts);
      if (step.requests.length === 0) this.#addPlain(record, step, request);
      this.#ring.changed(record, step.text.length + step.reasoning.length);
    };
    let hasBegun = false;
    const iterator: AsyncIterator<ModelEvent, void> = {
      next: async () => {
        try {
          // Requests are sent until the first event has come.
          const event = await (hasBegun ? events.next() : this.#place.run(here, () => events.next()));
          hasBegun = true;
          if (event.done === true) {
            end();
            return { done: true, value: undefined };
          }
          this.#noteEvent(record, step, event.value);
          return event;
        } catch (error) {
          step.error = errorMessage(error);
          end();
          throw error;
        }
      },
      // A reader that leaves early ends the answer.
      return: async () => {
        end();
        await events.return?.();
        return { done: true, value: undefined };
      },
    };
    return { [Symbol.asyncIterator]: () => iterator };
  }

  #beginAnswer(place: Place, request: ModelRequest, { agent, key, model }: ModelStepInfo): Open<ModelStep> {
    const { record } = place;
    const { provider, modelId } = model;
    const first: Omit<ModelStep, "id"> = {
      kind: "model",
      agent: agent.name,
      turn: key.turn,
      start: now(),
      ...within(place),
      provider,
      modelId,
      attempts: 1,
      text: "",
      reasoning: "",
      calls: [],
      requests: [],
    };
    if (request.tools) record.tools.set(agent.name, request.tools);
    this.#noteRequest(record, request, place.step === undefined);
    return record.add(first);
  }

  #noteRequest(record: RunRecord, request: ModelRequest, isOutermost: boolean): void {
    const { messages } = request;
    if (!isOutermost) return this.#ring.changed(record, 500);
    if (record.question === "") record.question = newestUserText(messages);
    const bytes = sizeOfMessages(messages, record.countedMessages);
    record.countedMessages = messages.length;
    this.#ring.changed(record, bytes + 500);
  }

  #noteEvent(record: RunRecord, step: Open<ModelStep>, event: ModelEvent): void {
    step.firstToken ??= now();
    switch (event.type) {
      case "text-delta":
        step.text += event.text;
        break;
      case "reasoning-delta":
        step.reasoning += event.text;
        break;
      case "finish": {
        const { message, usage, finishReason, response, text } = event.generation;
        // The pieces may be others than the whole, or missing.
        step.text = text;
        step.calls = message.toolCalls;
        step.usage = usage;
        step.finishReason = finishReason;
        step.modelId = response.modelId || step.modelId;
        break;
      }
      case "tool-input-delta":
      case "tool-call":
        break;
    }
    this.#ring.changed(record);
  }

  /** What a model without a wire was asked. The messages are those of the run, which nobody changes. */
  #addPlain(
    record: RunRecord,
    step: Open<ModelStep>,
    { signal: _, onFailure: __, ...plain }: ModelRequest,
  ): void {
    const exchange = this.#addExchange(record, step, {
      plain,
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

  async #tool(
    call: Parameters<ToolFunction>[0],
    info: Parameters<ToolFunction>[1],
    next: Parameters<ToolFunction>[2],
  ): Promise<ToolResult> {
    const place = this.#place.getStore();
    if (!place) return next(call);
    const { record } = place;
    const first: Omit<ToolStep, "id"> = {
      kind: "tool",
      agent: info.agent.name,
      turn: info.key.turn,
      start: now(),
      ...within(place),
      toolCallId: call.toolCallId,
      toolName: call.toolName,
      arguments: call.arguments,
      ...(info.key.decided && { decided: true }),
    };
    const step: Open<ToolStep> = record.add(first);
    this.#ring.changed(record, call.arguments.length + 300);
    try {
      const result = await this.#place.run({ record, step: step.id }, () => next(call));
      step.outcome = result.outcome;
      step.result = textOfResult(result);
      if (result.outcome === "not-executed" && !info.signal.aborted) step.waits = true;
      return result;
    } catch (error) {
      step.error = errorMessage(error);
      throw error;
    } finally {
      step.end = now();
      this.#ring.changed(record, step.result?.length ?? 0);
    }
  }
}

function within({ step }: Place): { readonly parent?: number } {
  return step === undefined ? {} : { parent: step };
}

function waitingCall({ toolCallId, toolName, approvalId }: PendingCall): WaitingCall {
  return { toolCallId, toolName, ...(approvalId !== undefined && { approvalId }) };
}

/** What the model reads of a result. */
function textOfResult({ content }: ToolResult): string {
  return content
    .map((part) => ("text" in part ? part.text : `[${part.type}: ${part.url.slice(0, 80)}]`))
    .join("\n");
}

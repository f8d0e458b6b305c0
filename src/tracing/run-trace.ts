import type { Attributes, Context, Link, SpanKind } from "@opentelemetry/api";
import { isCompleteAgent } from "../agent/handoff.ts";
import type { Usage } from "../message/messages.ts";
import type { StepKey } from "../message/step-key.ts";
import { addUsage, noUsage } from "../message/usage.ts";
import type { RunResult } from "../run/result-types.ts";
import type { RunInfo } from "../run/steps/middleware.ts";
import type { AgentLike } from "../tool/agent-like.ts";
import type { OpenTelemetry } from "./api.ts";
import { usageAttributes } from "./chat-attributes.ts";
import { ContentWriter, finishReasonName } from "./content.ts";
import { errorType } from "./error-type.ts";
import { metricsOf, type Metrics } from "./metrics.ts";
import { attribute, operations } from "./names.ts";
import { endSpan, OpenSpan, type Tracing } from "./open-span.ts";
import { attributesOf } from "./own-attributes.ts";
import { linkTo, markOf, traceparent, writeTraceparent } from "./propagation.ts";
import type { Settings } from "./settings.ts";

/** What a step is marked with that its run did not wait for. */
export const cancelled = "cancelled";

/** The span of an agent while it is active. */
interface Stint {
  readonly agent: AgentLike;
  readonly span: OpenSpan;
  usage: Usage;
}

/** The spans of one run: its own, which is that of its first agent, those of agents that took over, and those of its steps. */
export class RunTrace {
  readonly api: OpenTelemetry;
  readonly settings: Settings;
  /** Absent where nobody measures. */
  readonly metrics: Metrics | undefined;
  readonly writer: ContentWriter;
  /** Whether a result was masked: tools may have passed on what they got of it. */
  hasHidden = false;
  readonly #tracer: Tracing;
  readonly #agent: AgentLike;
  readonly #root: OpenSpan;
  /** Steps that are under way: the end of the run ends them. */
  readonly #open = new Set<OpenSpan>();
  #common: Attributes;
  #active: Stint;
  #hasInput = false;

  constructor(api: OpenTelemetry, settings: Settings, info: RunInfo) {
    const { runId, conversation, agent, notes } = info;
    this.api = api;
    this.settings = settings;
    this.metrics = metricsOf(api, settings.hasLatestMetrics);
    this.writer = new ContentWriter(settings.maxChars);
    this.#tracer = { api, tracer: api.trace.getTracer("skein") };
    this.#agent = agent;
    this.#common = conversation === undefined ? {} : { [attribute.conversation]: conversation };
    const links = linkTo(api, notes.get(traceparent));
    const around = api.context.active().setValue(markOf(api), true);
    this.#root = this.#startAgent(agent, around, { [attribute.runId]: runId }, links);
    this.#active = { agent, span: this.#root, usage: noUsage };
    const parent = writeTraceparent(api, this.#root.spanContext);
    if (parent !== undefined) notes.set(traceparent, parent);
    if (!this.#root.isRecording) return;
    const further = attributesOf(settings, info);
    this.#common = { ...this.#common, ...further };
    this.#root.add(further);
  }

  /** Whether its steps have spans: those of a run that is not sampled have none, unless there is something to measure. */
  get isWatching(): boolean {
    return this.#root.isRecording || this.metrics !== undefined;
  }

  /** Attributes of all its spans. */
  get common(): Attributes {
    return this.#common;
  }

  /** Where the run's work is done. */
  get context(): Context {
    return this.#root.context;
  }

  /** Has the steps of an agent below its own span: after a handoff that is one beside those of the agents before it. */
  activate(agent: AgentLike): void {
    if (agent === this.#active.agent) return;
    this.#endStint();
    this.#active = { agent, span: this.#startAgent(agent, this.#root.context), usage: noUsage };
  }

  /**
   * Begins the span of a step.
   * @param attributes - A new object, which is added to.
   * @param parent - The step around it.
   */
  start(name: string, kind: SpanKind, attributes: Attributes, parent: StepKey | undefined): OpenSpan {
    for (const further in this.#common) attributes[further] = this.#common[further];
    const span = new OpenSpan(this.#tracer, this.#parentOf(parent), { name, kind, attributes });
    this.#open.add(span);
    return span;
  }

  /**
   * Ends the span of a step.
   * @param type - The class of its error, if it has failed.
   */
  close(span: OpenSpan, type?: string, error?: unknown): void {
    this.#open.delete(span);
    endSpan(span, this.settings, this.writer, type, error);
  }

  /** Shows what the run began with: the messages of its first request. */
  noteInput(messages: string | undefined): void {
    if (!this.#hasInput) this.#root.set(attribute.inputMessages, messages);
    this.#hasInput = true;
  }

  addUsage(usage: Usage): void {
    if (!this.settings.isUsageOfAgents) return;
    this.#active.usage = addUsage(this.#active.usage, usage);
  }

  /** Ends what is open of the run. */
  end({ status, turns, finishReason, text, usage }: RunResult): void {
    this.#endStint();
    const root = this.#root;
    if (root.isRecording) {
      root.set(attribute.runStatus, status);
      root.set(attribute.runTurns, turns);
      if (turns > 0) root.set(attribute.finishReasons, [finishReasonName(finishReason)]);
      if (this.settings.hasMessages && text !== "")
        root.set(attribute.outputMessages, this.writer.outputText(text, finishReason));
      if (this.settings.isUsageOfAgents) root.add(usageAttributes(usage));
    }
    this.#endRoot();
  }

  /** Ends what is open of a run that failed. */
  fail(error: unknown): void {
    this.#endStint();
    this.#root.set(attribute.runStatus, "failed");
    this.#endRoot(errorType(error), error);
  }

  #endRoot(type?: string, error?: unknown): void {
    this.metrics?.agent({ name: this.#agent.name, seconds: this.#root.seconds, errorType: type });
    this.close(this.#root, type, error);
  }

  /** Ends the steps that are still under way, and the span of an agent that took over. */
  #endStint(): void {
    for (const span of [...this.#open].toReversed()) this.close(span, cancelled);
    const { agent, span, usage } = this.#active;
    if (span === this.#root) return;
    if (this.settings.isUsageOfAgents) span.add(usageAttributes(usage));
    this.metrics?.agent({ name: agent.name, seconds: span.seconds, errorType: undefined });
    span.end();
  }

  #startAgent(agent: AgentLike, parent: Context, attributes: Attributes = {}, links: Link[] = []): OpenSpan {
    const { name, description } = agent;
    const hasOutput = isCompleteAgent(agent) && agent.output !== undefined;
    return new OpenSpan(this.#tracer, parent, {
      name: `${operations.agent} ${name}`,
      kind: this.api.SpanKind.INTERNAL,
      attributes: {
        [attribute.operation]: operations.agent,
        [attribute.agentName]: name,
        ...(description !== undefined && { [attribute.agentDescription]: description }),
        ...(hasOutput && { [attribute.outputType]: "json" }),
        ...this.#common,
        ...attributes,
      },
      links,
    });
  }

  /** The span that is active, which may be one of the program's own. Those of a first agent's steps are; after a handoff, it is the run's. */
  #parentOf(parent: StepKey | undefined): Context {
    const { trace, context } = this.api;
    const active = context.active();
    const { span } = this.#active;
    if (parent?.kind === "tool" || span === this.#root) return trace.getSpan(active) ? active : span.context;
    return span.within(active);
  }
}

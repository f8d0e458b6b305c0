import type { AssistantMessage, Message } from "../../message/messages.ts";
import type { ToolSpec } from "../../model/types.ts";
import type { RunStatus } from "../../message/run-state.ts";
import { attribute } from "../../tracing/names.ts";
import { addAnswer } from "../elsewhere/build-run.ts";
import { Exchange } from "../exchange.ts";
import type { AgentStep, ModelStep, ToolStep } from "../records.ts";
import { type Open, RunRecord } from "../run-record.ts";
import { newestUserText } from "../user-text.ts";
import {
  readInstructions,
  readMessages,
  readTools,
  resultOf,
  textOfResultValue,
  textOfValue,
} from "./gen-ai-content.ts";
import {
  contentAt,
  finishReasonOf,
  firstTokenOf,
  modelOf,
  problemOf,
  textAt,
  usageOf,
} from "./gen-ai-span.ts";
import { placeSpans, type PlacedSpan } from "./place-spans.ts";
import type { Span } from "./spans.ts";

/** What a trace is called among the runs. */
export function idOfTrace(traceId: string): string {
  return `trace-${traceId}`;
}

/**
 * A trace as a run: its outermost agent is that of the run, further ones have taken over, agents within tools are steps. A model call
 * within a model call is the same one on another level, and left out.
 * @param isSettled - Whether spans that are missing will not come any more.
 * @returns `undefined` where no span of the trace is of an agent, a model call or a tool.
 */
export function buildTrace(spans: readonly Span[], isSettled: boolean): RunRecord | undefined {
  const placed = placeSpans(spans);
  const [first] = placed;
  if (!first) return undefined;
  const top = placed.find(({ kind, parent }) => kind === "agent" && parent === undefined);
  const { traceId, service } = first.span;
  const agent = agentOf(top ?? first);
  const conversation = textAt(first.span.attributes, attribute.conversation);
  const record = new RunRecord(
    idOfTrace(traceId),
    conversation === undefined ? undefined : `${service} ${conversation}`,
    agent,
    first.span.start,
  );
  record.source = "trace";
  const steps = new Map<PlacedSpan, number>();
  for (const each of placed) {
    const step = addStep(record, each, each.container && steps.get(each.container));
    if (step !== undefined) steps.set(each, step);
  }
  if (record.question === "" && top) record.question = newestUserText(contentOf(top.span).messages);
  // Spans are sent once they end: those around what has come may still be open. An agent that has ended is whole.
  const isWhole = isSettled || placed.every(({ isOrphan, kind }) => !isOrphan || kind === "agent");
  if (isWhole) endRecord(record, top?.span, placed);
  return record;
}

function endRecord(record: RunRecord, top: Span | undefined, placed: readonly PlacedSpan[]): void {
  record.endedAt = placed.reduce((latest, { span }) => Math.max(latest, span.end), record.startedAt);
  const last = placed.findLast(({ kind }) => kind === "model")?.span;
  const outcome = top ?? last;
  record.error = outcome && problemOf(outcome);
  const status = top && textAt(top.attributes, attribute.runStatus);
  record.status = statuses.get(status) ?? (record.error === undefined ? "completed" : "failed");
  if (record.status === "completed") record.error = undefined;
}

/** Those that a span of Skein names. */
const statuses: ReadonlyMap<string | undefined, RunStatus> = new Map(
  (
    [
      "completed",
      "paused",
      "max-turns",
      "max-tool-calls",
      "budget",
      "cancelled",
      "incomplete",
      "corrections",
      "repeating",
      "blocked",
    ] as const
  ).map((status) => [status, status]),
);

/** Adds what a span stands for, and returns its number; `undefined` for an agent that is the run's own, or has taken over. */
function addStep(record: RunRecord, placed: PlacedSpan, parent: number | undefined): number | undefined {
  if (placed.kind === "model") return addModel(record, placed, parent);
  if (placed.kind === "tool") return addTool(record, placed, parent);
  if (placed.container === undefined) return undefined;
  const { span } = placed;
  const step: Open<AgentStep> = record.add({
    kind: "agent",
    ...placeOf(record, placed, parent),
    status: problemOf(span) === undefined ? "completed" : "failed",
  });
  return step.id;
}

function placeOf(
  record: RunRecord,
  placed: PlacedSpan,
  parent: number | undefined,
): Pick<AgentStep, "agent" | "turn" | "start" | "end" | "parent"> {
  const { start, end } = placed.span;
  const turn = record.steps.filter((step) => step.kind === "model" && step.parent === parent).length;
  return { agent: agentOf(placed), turn, start, end, ...(parent !== undefined && { parent }) };
}

function addModel(record: RunRecord, placed: PlacedSpan, parent: number | undefined): number {
  const { span } = placed;
  const { start, end } = span;
  const { messages, instructions, answer, tools } = contentOf(span);
  const { turn, agent } = placeOf(record, placed, parent);
  const step: Open<ModelStep> = addAnswer(record, {
    agent,
    ...modelOf(span),
    messages,
    instructions,
    message: answer,
    usage: usageOf(span),
    start,
    end,
  });
  // It may be cut, and tools of other programs are not here: nothing repeats it.
  record.prompts.delete(step.id);
  step.turn = turn + 1;
  if (parent !== undefined) step.parent = parent;
  const firstToken = firstTokenOf(span);
  if (firstToken !== undefined) step.firstToken = firstToken;
  const finishReason = finishReasonOf(span);
  if (finishReason) step.finishReason = finishReason;
  const problem = problemOf(span);
  if (problem !== undefined) step.error = problem;
  if (tools.length > 0) record.tools.set(agent, tools);
  if (record.question === "" && parent === undefined) record.question = newestUserText(messages);
  if (messages.length > 0) addRequest(record, step, span);
  return step.id;
}

/** What the model was asked, as far as the span has it. */
function addRequest(record: RunRecord, step: Open<ModelStep>, span: Span): void {
  const number = record.exchanges.length + 1;
  const content = contentOf(span);
  // How it compares with the one before is remembered with it.
  if (content.exchange?.number !== number || content.exchange.step !== step.id) {
    const { messages, instructions, tools } = content;
    content.exchange = new Exchange(number, step.id, {
      plain: {
        messages,
        ...(tools.length > 0 && { tools }),
        ...(instructions !== undefined && { instructions }),
      },
      model: `${step.provider}:${step.modelId}`,
    });
    content.exchange.sentAt = step.start;
  }
  record.exchanges.push(content.exchange);
  step.requests = [number];
}

/** What was said in a model call. */
interface Content {
  readonly messages: readonly Message[];
  readonly instructions: string | undefined;
  readonly answer: AssistantMessage | undefined;
  readonly tools: readonly ToolSpec[];
  exchange: Exchange | undefined;
}

/** Read once: a trace is built again with each span that comes. */
const contents = new WeakMap<Span, Content>();

function contentOf(span: Span): Content {
  const earlier = contents.get(span);
  if (earlier) return earlier;
  const [answer] = readMessages(contentAt(span, attribute.outputMessages));
  const content: Content = {
    messages: readMessages(contentAt(span, attribute.inputMessages)),
    instructions: readInstructions(contentAt(span, attribute.instructions)),
    answer: answer?.role === "assistant" ? answer : undefined,
    tools: readTools(contentAt(span, attribute.toolDefinitions)),
    exchange: undefined,
  };
  contents.set(span, content);
  return content;
}

function addTool(record: RunRecord, placed: PlacedSpan, parent: number | undefined): number {
  const { span } = placed;
  const { attributes, name } = span;
  const problem = problemOf(span);
  const toolName = textAt(attributes, attribute.toolName) ?? name;
  const toolCallId = textAt(attributes, attribute.toolCallId) ?? span.spanId;
  const value = contentAt(span, attribute.toolResult);
  const result = resultOf(toolCallId, toolName, textOfResultValue(value), problem !== undefined);
  const step: Open<ToolStep> = record.add({
    kind: "tool",
    ...placeOf(record, placed, parent),
    toolCallId,
    toolName,
    arguments: textOfValue(contentAt(span, attribute.toolArguments)),
    outcome: result.outcome,
    ...(problem !== undefined && { error: problem }),
    ...(attributes.get(attribute.cached) === true && { cached: true as const }),
  });
  if (value !== undefined) step.result = textOfResultValue(value);
  return step.id;
}

/** The agent that a span is of: its own, that of the nearest span around it, or else the program. */
function agentOf(placed: PlacedSpan): string {
  for (let each: PlacedSpan | undefined = placed; each; each = each.parent) {
    const name = textAt(each.span.attributes, attribute.agentName);
    if (name !== undefined) return name;
  }
  return placed.span.service || "Agent";
}

import { isCorrection } from "../message/is-correction.ts";
import type { Redaction } from "../testing/recording/secrets.ts";
import { sessionOfRun } from "./chat-runs.ts";
import { now } from "./exchange.ts";
import type { FlightSegment, FlightTick, ModelStep, RunDetail, RunSummary, Step } from "./records.ts";
import { breakOf, type Conversation, costOfStep } from "./requests.ts";
import type { RunRecord } from "./run-record.ts";

/** How much of the first message the list shows, in characters. */
const longestInput = 240;
/** How much of a text of a step a page is sent before it asks for the rest, in characters. */
const longestText = 65_536;
/** How much more is looked at, so that no secret is cut before it is masked. */
const margin = 4_096;
/** How many names of tools a run is found by. */
const mostTools = 100;

/** A run as the list shows it. */
export function summarizeRun(record: RunRecord, conversation: Conversation, redact: Redaction): RunSummary {
  const { steps, startedAt, endedAt = now() } = record;
  const models = steps.filter((step) => step.kind === "model");
  const calls = steps.filter((step) => step.kind === "tool");
  const costs = models.map(costOfStep);
  const flight = flightOf(record, endedAt);
  const breaks = models.filter((step) => breakOf(record, step, conversation));
  const waited = steps
    .filter((step) => step.kind === "wait")
    .reduce((sum, { start, end = now() }) => sum + end - start, 0);
  const session = record.source === undefined ? sessionOfRun(record.id) : undefined;
  const last = steps.findLast((step) => step.parent === undefined && step.kind === "model");
  return {
    id: record.id,
    revision: record.revision,
    ...(session !== undefined && { session }),
    agent: record.agent,
    lastAgent: last?.agent ?? record.agent,
    status: record.status,
    startedAt,
    ...(record.endedAt !== undefined && { endedAt: record.endedAt }),
    input: redact.text(record.question.slice(0, longestInput)),
    ...(record.error !== undefined && { error: redact.text(record.error) }),
    turns: models.filter(({ parent }) => parent === undefined).length,
    toolCalls: calls.length,
    tools: [...new Set(calls.map(({ toolName }) => toolName))].slice(0, mostTools),
    inputTokens: sum(models, ({ usage }) => usage?.inputTokens),
    outputTokens: sum(models, ({ usage }) => usage?.outputTokens),
    cachedTokens: sum(models, ({ usage }) => usage?.cachedInputTokens),
    ...(costs.length > 0 &&
      costs.every((cost) => cost !== undefined) && { cost: sum(costs, (cost) => cost) }),
    worked: Math.max(0, endedAt - startedAt - (record.status === "paused" ? 0 : waited)),
    waited,
    breaks: breaks.length,
    flight,
    ticks: ticksOf(record, breaks),
    ...(record.source && { source: record.source }),
    ...(record.replayOf && { replayOf: record.replayOf }),
  };
}

/** A run with all its steps, without secrets. */
export function describeRun(record: RunRecord, conversation: Conversation, redact: Redaction): RunDetail {
  return {
    ...summarizeRun(record, conversation, redact),
    question: beginningOf(record.question, redact),
    steps: record.steps.map((step) => cleanStep(record, step, conversation, redact)),
  };
}

function cleanStep(record: RunRecord, step: Step, conversation: Conversation, redact: Redaction): Step {
  if (step.kind === "model") {
    const place = breakOf(record, step, conversation);
    const cost = costOfStep(step);
    return {
      ...step,
      text: beginningOf(step.text, redact),
      ...(step.text.length > longestText && { textLength: step.text.length }),
      reasoning: beginningOf(step.reasoning, redact),
      calls: step.calls.map((call) => ({ ...call, arguments: beginningOf(call.arguments, redact) })),
      ...(step.error !== undefined && { error: redact.text(step.error) }),
      ...(step.failures && {
        failures: step.failures.map((each) => ({ ...each, error: redact.text(each.error) })),
      }),
      ...(cost !== undefined && { cost }),
      ...(place && { break: place }),
    };
  }
  if (step.kind !== "tool") return step;
  return {
    ...step,
    arguments: beginningOf(step.arguments, redact),
    ...(step.result !== undefined && { result: beginningOf(step.result, redact) }),
    ...(step.result !== undefined &&
      step.result.length > longestText && { resultLength: step.result.length }),
    ...(step.error !== undefined && { error: redact.text(step.error) }),
  };
}

/** What a step has written or returned, whole and without secrets; `undefined` for another kind of step. */
export function wholeText(step: Step | undefined, redact: Redaction): string | undefined {
  if (step?.kind === "model") return redact.text(step.text);
  return step?.kind === "tool" ? redact.text(step.result ?? "") : undefined;
}

function beginningOf(text: string, redact: Redaction): string {
  if (text.length <= longestText) return redact.text(text);
  return redact.text(text.slice(0, longestText + margin)).slice(0, longestText);
}

function sum<T>(items: readonly T[], figure: (item: T) => number | undefined): number {
  return items.reduce((total, item) => total + (figure(item) ?? 0), 0);
}

/** Who was active, and for how long. A pause belongs to nobody of the program. */
function flightOf({ steps, startedAt, agent }: RunRecord, endedAt: number): readonly FlightSegment[] {
  const segments: { agent: string | undefined; start: number; end: number }[] = [];
  for (const step of steps) {
    if (step.parent !== undefined || (step.kind !== "model" && step.kind !== "wait")) continue;
    const who = step.kind === "wait" ? undefined : step.agent;
    const start = step.start - startedAt;
    const last = segments.at(-1);
    if (last) last.end = start;
    if (!last || last.agent !== who) segments.push({ agent: who, start: last ? start : 0, end: start });
  }
  const last = segments.at(-1) ?? { agent, start: 0, end: 0 };
  const wait = steps.at(-1);
  const end = wait?.kind === "wait" ? (wait.end ?? now()) : endedAt;
  last.end = Math.max(last.end, end - startedAt);
  return segments.length === 0 ? [last] : segments;
}

function ticksOf({ steps, startedAt }: RunRecord, breaks: readonly ModelStep[]): readonly FlightTick[] {
  const wrong = steps.filter(
    (step) =>
      (step.kind === "tool" && step.outcome !== undefined && isCorrection(step.outcome)) ||
      (step.kind === "model" && step.error !== undefined),
  );
  return [
    ...wrong.map(({ start }): FlightTick => ({ kind: "wrong", at: start - startedAt })),
    ...breaks.map(({ start }): FlightTick => ({ kind: "prefix", at: start - startedAt })),
  ];
}

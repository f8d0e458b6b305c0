import type { Message } from "../../message/messages.ts";
import { notExecuted } from "../../message/unanswered-calls.ts";
import type { Model, ModelRequest } from "../../model/types.ts";
import { type Fetch, markOffline } from "../../model/wire-seam.ts";
import { errorMessage } from "../../base/util/error-message.ts";
import { frozenCopy } from "../../base/util/snapshot.ts";
import { modelOf, type ModelSource, overWire } from "../recording/model-source.ts";
import { type Captured, capturing } from "./captured.ts";
import { places } from "./places.ts";
import { generationOf, read, type AnswerReading } from "./read.ts";
import { conformanceOptions, type ConformanceOptions, type ConformanceReport } from "./report.ts";
import { checkEvents, streamRules } from "./stream-rules.ts";
import type { Subject } from "./subject.ts";
import { type Check, Hung, makeChecks, mostHangs, type Trial } from "./trial.ts";
import { wireChecks } from "./wire-checks.ts";
import { assertKnownOptions } from "../../base/options/known-options.ts";

/** How to check a model. */
export interface ModelCheckOptions extends ConformanceOptions {
  /** The user's message; by default a question that a tool would help with. */
  readonly requests?: readonly ModelRequest[];
}

/** The default user message. */
const defaultRequest: ModelRequest = {
  instructions: "Use your tools where they serve.",
  messages: [{ role: "user", content: "What is the weather in Paris?" }],
  tools: [
    {
      name: "get_weather",
      description: "Get the weather in a city",
      inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    },
  ],
};

const optionNames = { ...conformanceOptions, requests: true } satisfies Record<keyof ModelCheckOptions, true>;

/**
 * Holds a model to what runs rely on: what its events add up to, exactly one `finish`, the last; an end at once when it is
 * aborted or left, at every event; typed errors without secrets; nothing pending afterwards. A model of `skein/openai` or
 * `skein/anthropic`, and any other that uses the `fetch` of its options, is called once for each request; that answer then
 * comes byte by byte, in random pieces, with other line ends, cut, slowly, and in its place come errors of all kinds. Other
 * models are called again for each reading: pass `() => model` for one that does not answer the same twice.
 *
 * Never throws for what the model does: see `assertConformance`.
 */
export async function checkModel(
  source: ModelSource,
  options: ModelCheckOptions = {},
): Promise<ConformanceReport> {
  assertKnownOptions(options, optionNames, "checkModel()");
  const { requests = [defaultRequest] } = options;
  const { provider, modelId } = modelOf(source);
  const subjects: Subject[] = [];
  const checks: Check[] = [
    { name: "answers", run: (trial) => answers(source, requests, subjects, trial) },
    { name: "request-untouched", run: (trial) => each(subjects, (subject) => untouched(subject, trial)) },
    { name: "side-by-side", run: (trial) => each(subjects, (subject) => sideBySide(subject, trial)) },
    { name: "history", run: (trial) => each(subjects, (subject) => history(subject, trial)) },
    { name: "abort", run: (trial) => each(subjects, (subject) => abort(subject, trial)) },
    { name: "leave", run: (trial) => each(subjects, (subject) => leave(subject, trial)) },
    ...wireChecks(subjects),
  ];
  const report = await makeChecks(`The model ${provider}:${modelId}`, checks, options);
  return { ...report, checks: ["hangs", ...streamRules, ...report.checks] };
}

async function each(subjects: readonly Subject[], check: (subject: Subject) => Promise<void>): Promise<void> {
  for (const subject of subjects) await check(subject);
}

/** Asks each request once, and looks at the events. */
async function answers(
  source: ModelSource,
  requests: readonly ModelRequest[],
  subjects: Subject[],
  trial: Trial,
): Promise<void> {
  for (const request of requests) {
    const wire: Captured[] = [];
    const over = (fetch: Fetch): Model => overWire(source, () => markOffline(fetch)) ?? modelOf(source);
    const live = overWire(source, capturing(wire));
    const baseline = await read(live ?? modelOf(source), frozenCopy(request), trial);
    if (baseline.failure) {
      const { error } = baseline.failure;
      trial.fail(errorMessage(error), error instanceof Hung ? "hangs" : undefined);
      continue;
    }
    checkEvents(baseline.events, trial.fail);
    const captured = wire.length === 1 ? wire[0] : undefined;
    const replayed = captured && replaying(captured);
    const model = replayed ? () => over(replayed) : () => modelOf(source);
    if (generationOf(baseline)) subjects.push({ request, model, baseline, captured, over });
  }
}

function replaying({ status, headers, body }: Captured): Fetch {
  return async (_, init) => {
    init?.signal?.throwIfAborted();
    const type = headers.get("content-type");
    return new Response(body, { status, headers: type === null ? {} : { "content-type": type } });
  };
}

/** A request belongs to the run: what changes it fails, since it is frozen. */
async function untouched({ model, request }: Subject, trial: Trial): Promise<void> {
  const frozen = frozenCopy(request);
  const before = JSON.stringify(frozen);
  const { failure } = await read(model(), frozen, trial);
  if (failure) trial.fail(`A request that cannot be changed fails: ${errorMessage(failure.error)}`);
  if (JSON.stringify(frozen) !== before) trial.fail("The request is another one afterwards.");
}

/** Answers that come at once must not mix. */
async function sideBySide({ model, request }: Subject, trial: Trial): Promise<void> {
  const readings = await Promise.all([1, 2, 3].map(() => read(model(), request, trial)));
  for (const { events, failure } of readings) {
    if (failure) trial.fail(`One of three at once fails: ${errorMessage(failure.error)}`);
    else checkEvents(events, trial.fail);
  }
}

/** The model has to take its own answer back as part of a history. */
async function history({ model, request, baseline }: Subject, trial: Trial): Promise<void> {
  const generation = generationOf(baseline);
  if (!generation) return;
  const messages: Message[] = [
    ...request.messages,
    generation.message,
    ...generation.toolCalls.map((call): Message => ({
      role: "tool",
      result: notExecuted(call, "it is closed."),
    })),
    { role: "user", content: "Go on." },
  ];
  const reading = await read(model(), { ...request, messages: frozenCopy(messages) }, trial);
  if (reading.failure)
    trial.fail(`Its own answer in a history fails: ${errorMessage(reading.failure.error)}`);
}

/** Aborts before the first event, and after each. */
async function abort(subject: Subject, trial: Trial): Promise<void> {
  const before = await aborted(subject, -1, trial);
  if (!before.failure) trial.fail("Aborted before it began, it does not throw.");
  if (before.events.length > 0)
    trial.fail(`Aborted before it began, it gives ${before.events.length} events.`);
  const last = subject.baseline.events.length - 1;
  let hangs = 0;
  for (const index of places(last)) {
    const { events, failure } = await aborted(subject, index, trial);
    const where = `Aborted after event ${index} (${subject.baseline.events[index]?.type})`;
    if (failure?.error instanceof Hung) {
      trial.fail(`${where}: ${failure.error.message}`);
      if (++hangs === mostHangs) return;
    } else if (!failure) trial.fail(`${where}, it does not throw.`);
    else if (events.length > index + 1)
      trial.fail(
        `${where}, it goes on: ${events
          .slice(index + 1)
          .map(({ type }) => type)
          .join(", ")}.`,
      );
  }
}

async function aborted({ model, request }: Subject, index: number, trial: Trial): Promise<AnswerReading> {
  const controller = new AbortController();
  if (index < 0) controller.abort();
  return read(model(), { ...request, signal: controller.signal }, trial, (_, at) => {
    if (at === index) controller.abort();
  });
}

/** Leaves after each event, as a `for await` that breaks does. */
async function leave({ model, request, baseline }: Subject, trial: Trial): Promise<void> {
  for (const index of places(baseline.events.length)) {
    const iterator = model().stream(request)[Symbol.asyncIterator]();
    const what = `Left after ${index + 1} events, it`;
    for (let at = 0; at <= index; at++) await trial.settled(iterator.next(), what);
    await trial.settled(Promise.resolve(iterator.return?.()), what);
    const { done } = await trial.settled(iterator.next(), what);
    if (iterator.return && !done) trial.fail(`${what} goes on.`);
  }
}

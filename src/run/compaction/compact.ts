import { openParts } from "../../message/answer-parts.ts";
import type { Message } from "../../message/messages.ts";
import { printStep } from "../../message/step-key.ts";
import { assertModel } from "../../model/check-settings.ts";
import { readAnswer } from "../../model/stream-model.ts";
import type { Model } from "../../model/types.ts";
import type { ToolTable } from "../../tool/table.ts";
import { assertKnownOptions, invalidOption } from "../../base/options/known-options.ts";
import { safeMessage } from "../../base/util/error-message.ts";
import { emit, warn } from "../events/emit.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { answerWithin } from "../steps/around-model.ts";
import { unfinishedCallOf } from "../state/meters.ts";
import { meteredStep } from "../steps/metered-step.ts";
import { keyOfStep } from "../steps/perform-step.ts";
import { tokensOfAll } from "./estimate.ts";
import { Gauge } from "./gauge.ts";
import type { Compaction } from "./options.ts";
import { leastChars, pruneResults, shorten, summaryMessage, type Shortened } from "./shorten.ts";
import { boundedSummary, summarize, type Summary } from "./summarize.ts";

const defaultMaxTokens = 100_000;
/** The least that a limit may be, in tokens. */
const leastTokens = 10;
/** Of what is left for the history: what stays of it by default. */
const defaultKeep = 0.25;
/** Of the limit: what must be gained, lest every call begin with a summary. */
const leastGain = 0.1;

const optionNames = {
  maxTokens: true,
  keep: true,
  summarize: true,
  pruneResults: true,
} satisfies Record<keyof Compaction, true>;

const gauges = new WeakMap<ActiveRun, Gauge>();

/**
 * Makes a run's history shorter if the next request would be too long.
 * @throws ConfigurationError for invalid options.
 */
export async function compact(
  run: ActiveRun,
  compaction: Compaction,
  instructions: string | undefined,
  tools: Pick<ToolTable, "specs" | "lasting"> | undefined,
): Promise<void> {
  const gauge = gauges.get(run) ?? newGauge(run, compaction);
  const { maxTokens = defaultMaxTokens } = compaction;
  const before = gauge.count(run, instructions, tools?.specs);
  // A provider that has paused goes on with what it has written so far, as it stands.
  const isBetweenParts = openParts(run.conversation.messages).length > 0;
  if (before > maxTokens && !isBetweenParts)
    await makeShorter(run, compaction, gauge, before, tools?.lasting);
  gauge.ask(run);
}

function newGauge(run: ActiveRun, compaction: Compaction): Gauge {
  assertCompaction(compaction);
  const gauge = new Gauge();
  gauges.set(run, gauge);
  return gauge;
}

async function makeShorter(
  run: ActiveRun,
  compaction: Compaction,
  gauge: Gauge,
  before: number,
  lasting?: ReadonlySet<string>,
): Promise<void> {
  const { maxTokens = defaultMaxTokens } = compaction;
  const messages = [...run.conversation.messages];
  const lighter = compaction.pruneResults
    ? pruneResults(messages, compaction.pruneResults, lasting)
    : messages;
  const pruned = lighter.filter((message, index) => message !== messages[index]).length;
  const beside = before - tokensOfAll(messages) * gauge.factor;
  const isEnough = pruned > 0 && beside + tokensOfAll(lighter) * gauge.factor <= maxTokens;
  const room = Math.max(0, maxTokens - beside);
  const shorter = isEnough
    ? undefined
    : await leaveOut(run, compaction, lighter, room, gauge.factor, lasting);
  if (!shorter && pruned === 0) return;
  replace(run, shorter?.messages ?? lighter);
  const after = gauge.recount(run);
  const dropped = shorter?.dropped ?? 0;
  // A summary is dear: should the model fail now, it is there for the next run.
  await run.config.record?.save();
  emit(run, { type: "compaction", agent: run.agent.name, before, after, dropped, pruned });
}

/**
 * The messages without the oldest; `undefined` if that cannot be done, of which the run warns.
 * @param room for how many tokens of the history there is room.
 */
async function leaveOut(
  run: ActiveRun,
  compaction: Compaction,
  messages: readonly Message[],
  room: number,
  factor: number,
  lasting: ReadonlySet<string> | undefined,
): Promise<{ readonly messages: readonly Message[]; readonly dropped: number } | undefined> {
  const { maxTokens = defaultMaxTokens, keep = room * defaultKeep } = compaction;
  const shortened = shorten(messages, keep / factor, lasting);
  const { dropped, before, after } = shortened;
  if (tokensOfAll(dropped) * factor < maxTokens * leastGain) {
    warn(run, `The history is longer than ${maxTokens} tokens, and what must be kept of it is nearly all.`);
    return undefined;
  }
  try {
    const summary = summaryMessage(
      dropped,
      await summaryOf(run, compaction, shortened, maxTokens, room / factor),
    );
    return { messages: [...before, summary, ...after], dropped: dropped.length };
  } catch (error) {
    const isStepFailure = run.config.stepFailures.has(printStep(keyOfStep(run, "summary")));
    if (run.config.scope.isCancelled || isStepFailure) throw error;
    warn(run, `The history could not be summed up, and stays as it is: ${safeMessage(error)}`);
    return undefined;
  }
}

async function summaryOf(
  run: ActiveRun,
  { summarize: option }: Compaction,
  { dropped }: Shortened,
  limit: number,
  room: number,
): Promise<string | undefined> {
  const by = option === true ? run.model : option;
  if (by === undefined) return undefined;
  const { scope } = run.config;
  const key = keyOfStep(run, "summary");
  let summarizer: Model | undefined;
  const work = meteredStep(run, key, (count) =>
    summarize(dropped, by, limit, scope.signal, (model, request) => {
      summarizer = model;
      return answerWithin(run, model, request, key, count, (watched, within) =>
        readAnswer(within, watched, ({ type }) => void (run.isAnswerOpen = type !== "finish")),
      );
    }),
  );
  let summary: Summary;
  try {
    summary = await scope.race(work);
  } catch (error) {
    if (summarizer && run.isAnswerOpen) run.meters.addModelCall(unfinishedCallOf(summarizer));
    throw error;
  }
  const { text: bounded, isCut } = boundedSummary(summary.text, room);
  if (isCut)
    warn(
      run,
      `The summary of the history was longer than the room for it, and was cut to ${bounded.length} characters.`,
    );
  return bounded;
}

function replace(run: ActiveRun, messages: readonly Message[]): void {
  const before = [...run.conversation.messages];
  run.conversation.compact(messages);
  run.config.record?.compacted(before);
}

function assertCompaction(compaction: Compaction): void {
  assertKnownOptions(compaction, optionNames, "compaction");
  const { maxTokens = defaultMaxTokens, keep = 0, summarize, pruneResults } = compaction;
  if (pruneResults) assertPruning(pruneResults);
  if (summarize !== true && typeof summarize !== "function") assertModel(summarize, "compaction");
  if (maxTokens >= leastTokens && keep >= 0 && keep < maxTokens) return;
  throw invalidOption(
    maxTokens >= leastTokens
      ? `compaction.keep (${keep} tokens) must be less than compaction.maxTokens (${maxTokens} tokens).`
      : `compaction.maxTokens is ${maxTokens}. It must be ${leastTokens} at least: less has no room for a request.`,
    { option: "compaction" },
  );
}

function assertPruning(options: NonNullable<Compaction["pruneResults"]>): void {
  assertKnownOptions(options, { keepLast: true, maxChars: true }, "pruneResults");
  const { keepLast = 0, maxChars = leastChars } = options;
  if (!(keepLast >= 0))
    throw invalidOption(`pruneResults.keepLast is ${keepLast}. It must be 0 or more.`, {
      option: "keepLast",
    });
  if (!(maxChars >= leastChars))
    throw invalidOption(
      `pruneResults.maxChars is ${maxChars}. It must be ${leastChars} at least: the note in place of a result is as long.`,
      { option: "maxChars" },
    );
}

import type { Usage } from "../message/messages.ts";
import { addUsage, noUsage } from "../message/usage.ts";
import type { CallSum, ModelCall } from "../model/model-call.ts";
import type { EventProgress, RunUsage } from "./stored-run.ts";

// What a run has used is in its row, which each write of its events replaces: one sum for each model, whatever the number of answers.

/** Requests of different lengths are summed apart, at the lengths at which prices of providers change: sums can be priced then. */
const lengths = [100_000, 128_000, 200_000, 256_000, 272_000];

/** How many sums a run has at most: the ids of models are what servers say. Further models have one name together, which has no price. */
const mostSums = 64;
const furtherModels = { provider: "further", modelId: "models" };

/** How much of a model's id, and of its provider's, is kept. */
const longestName = 200;

const nothing: RunUsage = { turns: 0, modelCalls: [] };

/** Answers that an earlier build did not sum: their cost is not known. */
const unknownCalls: ModelCall = { provider: "unknown", modelId: "unknown", usage: noUsage };

/** What a run has used so far. Of one that an earlier version of Skein has begun, not all is known. */
export function usageOf({ next, turn = 0, used }: EventProgress): RunUsage {
  if (used) return { ...used, modelCalls: used.modelCalls.map(withAllCounts) };
  return next === 0 ? nothing : { turns: turn, modelCalls: [unknownCalls] };
}

/** JSON leaves out the counts that are not known. */
function withAllCounts(call: ModelCall): ModelCall {
  return { ...call, usage: { ...noUsage, ...call.usage } };
}

/** The tokens of all answers together. */
export function tokensOf({ modelCalls }: RunUsage): Usage {
  return modelCalls.reduce<Usage>((sum, { usage }) => addUsage(sum, usage), noUsage);
}

/** Counts an answer. */
export function withCall({ turns, modelCalls }: RunUsage, call: ModelCall): RunUsage {
  const isFull = modelCalls.length >= mostSums;
  const first = asSum(call);
  const place = modelCalls.findIndex((sum) => isAlike(sum, first));
  if (place >= 0) return { turns, modelCalls: modelCalls.with(place, added(modelCalls[place], first)) };
  if (!isFull || first.provider === furtherModels.provider)
    return { turns, modelCalls: [...modelCalls, first] };
  return withCall({ turns, modelCalls }, { ...call, ...furtherModels });
}

/** Counts the turns so far. */
export function withTurn(usage: RunUsage, turn: number): RunUsage {
  return { ...usage, turns: Math.max(usage.turns, turn) };
}

/** How far events are without a turn whose events are void. */
export function progressAfter(progress: EventProgress, next: number): EventProgress {
  const { hasEntries } = progress;
  return { next, ...(hasEntries && { hasEntries }), used: usageOf(progress) };
}

function asSum({ provider, modelId, usage, batch }: ModelCall): ModelCall {
  const counts = areCounts(usage) ? usage : noUsage;
  const { inputTokens } = counts;
  const length = inputTokens === undefined ? {} : { inputTokens: { least: inputTokens, most: inputTokens } };
  return {
    provider: provider.slice(0, longestName),
    modelId: modelId.slice(0, longestName),
    usage: counts,
    ...(batch && { batch }),
    sum: { calls: 1, ...length },
  };
}

/** One that is not a count would make another sum of all others. */
function areCounts(usage: Usage): boolean {
  return Object.values(usage).every((count) => count === undefined || (Number.isFinite(count) && count >= 0));
}

/** Whether two sums have one price. What does not report its tokens stays apart: the others' are not all. */
function isAlike(left: ModelCall, right: ModelCall): boolean {
  return (
    left.provider === right.provider &&
    left.modelId === right.modelId &&
    left.batch === right.batch &&
    left.sum !== undefined &&
    lengthOf(left) === lengthOf(right) &&
    (left.usage.outputTokens === undefined) === (right.usage.outputTokens === undefined)
  );
}

function lengthOf({ sum }: ModelCall): number | undefined {
  const least = sum?.inputTokens?.least;
  return least === undefined ? undefined : lengths.filter((length) => least > length).length;
}

function added(sum: ModelCall | undefined, call: ModelCall): ModelCall {
  if (!sum) return call;
  return { ...sum, usage: addUsage(sum.usage, call.usage), sum: addSums(sum.sum, call.sum) };
}

function addSums(left: CallSum = { calls: 0 }, right: CallSum = { calls: 0 }): CallSum {
  const calls = left.calls + right.calls;
  const [one, other] = [left.inputTokens, right.inputTokens];
  if (!one || !other) return { calls };
  return {
    calls,
    inputTokens: { least: Math.min(one.least, other.least), most: Math.max(one.most, other.most) },
  };
}

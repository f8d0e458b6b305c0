import { redaction, type Redaction, secretsIn, secretsInUrl } from "../testing/recording/secrets.ts";
import type { Usage } from "../message/messages.ts";
import { costOf } from "../providers/wrappers/cost.ts";
import { describeAnswer } from "./describe-answer.ts";
import type { Exchange } from "./exchange.ts";
import type { OwnSecrets } from "./own-secrets.ts";
import { comparePrefix, type PrefixComparison } from "./prefix.ts";
import type {
  Excerpt,
  ModelStep,
  PrefixBreak,
  PrefixView,
  RequestDetail,
  RequestSummary,
} from "./records.ts";
import type { RunRecord } from "./run-record.ts";

/** How much of a body a page is sent before it asks for the rest, in characters. */
const longestBody = 1_000_000;
/** How much more is looked at, so that no secret is cut before it is masked. */
const margin = 4_096;

/** A request, and the run that has it. */
interface Place {
  readonly record: RunRecord;
  readonly exchange: Exchange;
}

/** Comparisons that were made, by the later request: neither of the two changes once it was sent. */
const comparisons = new WeakMap<Exchange, PrefixComparison & { readonly with?: Place }>();

/** Runs of the same conversation, the oldest first. */
export type Conversation = readonly RunRecord[];

/** The requests of a run. */
export function summarizeRequests(record: RunRecord, conversation: Conversation): readonly RequestSummary[] {
  return record.exchanges.flatMap((exchange) => summarize({ record, exchange }, conversation) ?? []);
}

/** Where the prefix of a model call breaks, if it does. */
export function breakOf(
  record: RunRecord,
  step: ModelStep,
  conversation: Conversation,
): PrefixBreak | undefined {
  const number = step.requests.at(-1);
  const exchange = number === undefined ? undefined : record.exchanges[number - 1];
  return exchange && summarize({ record, exchange }, conversation)?.break;
}

/** A request with its answer, without secrets; `undefined` if the run has none of that number. */
export async function describeRequest(
  record: RunRecord,
  number: number,
  conversation: Conversation,
  secrets: OwnSecrets,
): Promise<RequestDetail | undefined> {
  const exchange = record.exchanges[number - 1];
  const summary = exchange && summarize({ record, exchange }, conversation);
  if (!exchange || !summary) return undefined;
  const { headers, redact } = secretsOf(exchange, secrets);
  const whole = exchange.body;
  // A secret is masked before it is cut.
  const body = whole?.slice(0, longestBody + margin);
  const clean = body === undefined ? undefined : redact.text(body);
  const hasAnswer = exchange.isWire && exchange.status !== undefined;
  return {
    ...summary,
    url: exchange.url === "" ? "" : redact.url(exchange.url),
    headers: exchange.isWire ? redact.requestHeaders(headers) : {},
    ...(clean !== undefined && { body: clean.slice(0, longestBody) }),
    ...(whole !== undefined && whole.length > longestBody && { bodyLength: whole.length }),
    isRedacted: clean !== body,
    ...(hasAnswer && { answer: await describeAnswer(exchange, redact, secrets.version) }),
    prefix: describePrefix({ record, exchange }, conversation, redact, summary.break),
  };
}

/** The body of a request, whole and without secrets; `undefined` if the run has none of that number any more. */
export function wholeBody(record: RunRecord, number: number, secrets: OwnSecrets): string | undefined {
  const exchange = record.exchanges[number - 1];
  const body = exchange?.body;
  return exchange && body !== undefined ? secretsOf(exchange, secrets).redact.text(body) : undefined;
}

function summarize(place: Place, conversation: Conversation): RequestSummary | undefined {
  const { exchange } = place;
  const step = stepOf(place);
  if (!step) return undefined;
  const { inputTokens, cachedInputTokens } = step.usage ?? {};
  // Of several attempts, the last one is that which was answered and paid for.
  const isPaid = step.requests.at(-1) === exchange.number;
  const comparison = isPaid && step.end !== undefined ? compare(place, conversation) : undefined;
  const before = comparison?.with && stepOf(comparison.with)?.usage?.inputTokens;
  const paidAgain =
    before === undefined || cachedInputTokens === undefined || inputTokens === undefined
      ? undefined
      : Math.max(0, Math.min(before, inputTokens) - cachedInputTokens);
  const difference = comparison?.difference;
  return {
    number: exchange.number,
    step: step.id,
    agent: step.agent,
    turn: step.turn,
    model: `${step.provider}:${step.modelId}`,
    isWire: exchange.isWire,
    sentAt: exchange.sentAt,
    size: exchange.size,
    ...(exchange.status !== undefined && { status: exchange.status }),
    ...(exchange.failure !== undefined && { failure: exchange.failure }),
    pieces: exchange.pieceCount,
    ...(isPaid && inputTokens !== undefined && { inputTokens }),
    ...(isPaid && cachedInputTokens !== undefined && { cachedTokens: cachedInputTokens }),
    ...(isPaid && paidAgain !== undefined && { paidAgain }),
    ...(difference && { break: { ...difference, ...lossOf(step, paidAgain) } }),
  };
}

/** What a break has cost: the tokens, and how much less they would have cost from the cache. */
function lossOf(
  { provider, modelId, usage }: ModelStep,
  tokens: number | undefined,
): Omit<PrefixBreak, "path"> {
  if (tokens === undefined || !usage) return {};
  const { cachedInputTokens = 0, cacheWriteTokens = 0 } = usage;
  const cached: Usage = {
    ...usage,
    cachedInputTokens: cachedInputTokens + tokens,
    cacheWriteTokens: Math.max(0, cacheWriteTokens - tokens),
  };
  const [cost, less] = [usage, cached].map((each) => costOf({ provider, modelId, usage: each }));
  if (cost === undefined || less === undefined) return { tokens };
  return { tokens, cost: cost - less };
}

function stepOf({ record, exchange }: Place): ModelStep | undefined {
  const step = record.steps[exchange.step - 1];
  return step?.kind === "model" ? step : undefined;
}

/** The request before: the last one of the same agent in the conversation, answered or not. */
function before({ record, exchange }: Place, conversation: Conversation): Place | undefined {
  const agent = record.steps[exchange.step - 1]?.agent;
  const isSame = (other: RunRecord, each: Exchange): boolean => {
    const step = other.steps[each.step - 1];
    return step?.kind === "model" && step.agent === agent && step.requests.at(-1) === each.number;
  };
  const runs = [...conversation.filter(({ startedAt }) => startedAt < record.startedAt), record];
  for (const other of runs.toReversed()) {
    const earlier = other === record ? record.exchanges.slice(0, exchange.number - 1) : other.exchanges;
    const match = earlier.findLast((each) => each.step !== exchange.step && isSame(other, each));
    if (match) return { record: other, exchange: match };
  }
  return undefined;
}

function compare(place: Place, conversation: Conversation): PrefixComparison & { readonly with?: Place } {
  const cached = comparisons.get(place.exchange);
  if (cached) return cached;
  const earlier = before(place, conversation);
  const [old, own] = [earlier?.exchange.body, place.exchange.body].map(parseBody);
  const hasBoth = earlier !== undefined && old !== undefined && own !== undefined;
  const comparison = { ...comparePrefix(hasBoth ? old : own, own), ...(hasBoth && { with: earlier }) };
  comparisons.set(place.exchange, comparison);
  return comparison;
}

function parseBody(body: string | undefined): unknown {
  try {
    return body === undefined ? undefined : JSON.parse(body);
  } catch {
    // Not JSON: nothing to compare.
    return undefined;
  }
}

function describePrefix(
  place: Place,
  conversation: Conversation,
  redact: Redaction,
  difference: PrefixBreak | undefined,
): PrefixView {
  const { segments, with: earlier } = compare(place, conversation);
  const clean = ({ start, differs, end }: Excerpt): Excerpt => ({
    start: redact.text(start),
    differs: redact.text(differs),
    end: redact.text(end),
  });
  return {
    ...(earlier && { with: { request: earlier.exchange.number, runId: earlier.record.id } }),
    segments: segments.map(({ before: old, after, ...segment }) => ({
      ...segment,
      // Nothing to compare with: all of it is new.
      ...(!earlier && { state: "new" as const }),
      label: redact.text(segment.label),
      ...(old && { before: clean(old) }),
      ...(after && { after: clean(after) }),
    })),
    ...(difference && { break: difference }),
  };
}

/** What hides the secrets of a request, as recordings do. */
function secretsOf(
  exchange: Exchange,
  others: OwnSecrets,
): { readonly headers: Headers; readonly redact: Redaction } {
  const headers = new Headers(exchange.headers);
  const secrets = [...secretsIn(headers), ...(exchange.url === "" ? [] : secretsInUrl(exchange.url))];
  return { headers, redact: redaction([...secrets, ...others.all]) };
}

/** What a model call has cost, in US dollars, if its price is known. */
export function costOfStep({ provider, modelId, usage }: ModelStep): number | undefined {
  return usage && costOf({ provider, modelId, usage });
}

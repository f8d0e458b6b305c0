import { NetworkError } from "../errors.ts";
import type { FinishReason, Usage } from "../message/messages.ts";
import { GenerationBuilder } from "../model/generation-builder.ts";
import type { ModelEvent, ModelRequest } from "../model/types.ts";
import type { JsonObject } from "../base/util/json.ts";
import { sleep } from "../base/util/sleep.ts";

/** A tool call as a test writes it. */
export interface ScriptedToolCall {
  readonly toolName: string;
  /** An object is written as JSON; a string is sent as it stands, valid or not. `{}` by default. */
  readonly arguments?: JsonObject | string;
  /** By default `call_1`, `call_2` and so on, in the order in which the model makes calls. */
  readonly toolCallId?: string;
}

/** One answer of a model as a test writes it: reasoning first, then text, then tool calls. */
export interface ScriptedTurn {
  readonly text?: string;
  readonly reasoning?: string;
  readonly toolCalls?: readonly ScriptedToolCall[];
  /** `"tool-calls"` where there are any, else `"stop"`, by default. */
  readonly finishReason?: FinishReason;
  /** The same as `finishReason` by default. */
  readonly rawFinishReason?: string;
  /** What is left out counts as not reported; the total is the sum by default. */
  readonly usage?: Partial<Usage>;
  /** Reported on the generation, as of a model that refused to answer. */
  readonly refusal?: string;
  /** Reported on the generation, as of a provider that pauses: the next turn is the rest of this answer. The finish reason is `"other"` by default. */
  readonly shouldContinue?: true;
  /** The most characters (UTF-16 units) of text or arguments in one delta. Uncut by default. */
  readonly chunkSize?: number;
  /** Milliseconds to wait before each piece of the answer, and before an error; the end follows at once. */
  readonly delay?: number;
  /** Thrown before any output, or where `errorAfter` says. */
  readonly error?: unknown;
  /** Throws `error`, or else a `NetworkError`, after this many events, at the latest in place of the end. */
  readonly errorAfter?: number;
  /** The stream ends after the scripted output, without its `finish` event. */
  readonly cut?: true;
}

/** An answer: its text alone, or a whole turn. */
export type TurnLike = string | ScriptedTurn;

/** Makes an answer from the model's request. */
export type TurnFunction = (request: ModelRequest) => TurnLike | Promise<TurnLike>;

/** How a model of this folder calls itself. */
export interface ModelNames {
  readonly provider: string;
  readonly modelId: string;
}

/** Plays one turn as a model's stream. `nextCallId` names the calls that have no id of their own. */
export async function* playTurn(
  like: TurnLike | TurnFunction,
  request: ModelRequest,
  names: ModelNames,
  nextCallId: () => string,
): AsyncGenerator<ModelEvent, void, undefined> {
  const { signal } = request;
  signal?.throwIfAborted();
  const builder = new GenerationBuilder();
  const next = typeof like === "function" ? await like(request) : like;
  signal?.throwIfAborted();
  const turn: ScriptedTurn = typeof next === "string" ? { text: next } : next;
  const failAfter = turn.errorAfter ?? (turn.error === undefined ? Infinity : 0);
  let emitted = 0;
  for (const event of output(builder, turn, nextCallId)) {
    if (turn.delay !== undefined) await sleep(turn.delay, signal);
    signal?.throwIfAborted();
    if (emitted === failAfter) throw failure(turn, names);
    yield event;
    emitted += 1;
  }
  const isFailed = failAfter !== Infinity;
  if (isFailed && turn.delay !== undefined) await sleep(turn.delay, signal);
  signal?.throwIfAborted();
  if (isFailed) throw failure(turn, names);
  if (!turn.cut) yield finish(builder, turn, names);
}

function* output(
  builder: GenerationBuilder,
  turn: ScriptedTurn,
  nextCallId: () => string,
): Generator<ModelEvent, void, undefined> {
  const { chunkSize = Infinity } = turn;
  for (const piece of cut(turn.reasoning, chunkSize)) yield builder.reasoning(piece);
  for (const piece of cut(turn.text, chunkSize)) yield builder.text(piece);
  for (const call of turn.toolCalls ?? []) {
    const toolCallId = call.toolCallId ?? nextCallId();
    const { arguments: args = {} } = call;
    builder.startToolCall(toolCallId, toolCallId, call.toolName);
    const argumentsText = typeof args === "string" ? args : JSON.stringify(args);
    for (const piece of cut(argumentsText, chunkSize)) yield builder.toolInput(toolCallId, piece);
    yield builder.endToolCall(toolCallId);
  }
}

function cut(text: string | undefined, size: number): readonly string[] {
  if (text === undefined || text === "") return [];
  if (text.length <= size) return [text];
  const pieces: string[] = [];
  for (let start = 0; start < text.length; start += size) pieces.push(text.slice(start, start + size));
  return pieces;
}

function finish(builder: GenerationBuilder, turn: ScriptedTurn, names: ModelNames): ModelEvent {
  const usual = turn.toolCalls?.length ? "tool-calls" : "stop";
  const finishReason = turn.finishReason ?? (turn.shouldContinue ? "other" : usual);
  return builder.finish({
    finishReason,
    rawFinishReason: turn.rawFinishReason ?? finishReason,
    usage: turn.usage && completeUsage(turn.usage),
    refusal: turn.refusal,
    shouldContinue: turn.shouldContinue,
    response: { id: undefined, modelId: names.modelId, headers: {} },
  });
}

function completeUsage(usage: Partial<Usage>): Usage {
  const { inputTokens, outputTokens } = usage;
  const sum =
    inputTokens === undefined || outputTokens === undefined ? undefined : inputTokens + outputTokens;
  return { ...usage, inputTokens, outputTokens, totalTokens: usage.totalTokens ?? sum };
}

function failure(turn: ScriptedTurn, names: ModelNames): unknown {
  return turn.error ?? new NetworkError("the connection broke, as the script says", names);
}

import { basename } from "node:path";
import { stat } from "node:fs/promises";
import { sameJson } from "../../base/util/same-json.ts";
import { SkeinError } from "../../errors.ts";
import type { Message } from "../../message/messages.ts";
import type { Generation } from "../../model/types.ts";
import { decodeChunk } from "../../testing/recording/chunks.ts";
import { readRecording } from "../../testing/recording/file.ts";
import type { Exchange as RecordedExchange, WireExchange } from "../../testing/recording/format.ts";
import { Exchange } from "../exchange.ts";
import type { ModelStep } from "../records.ts";
import { type Open, RunRecord } from "../run-record.ts";
import { newestUserText } from "../user-text.ts";
import { addAnswer, addCall } from "./build-run.ts";

/** Who has answered, where nothing says so. */
export const unnamedAgent = "Agent";

/**
 * The runs of a recording: what goes on with the messages of the exchange before is the same run, or with a new message of the user, the
 * same conversation. A recording has no times but how long each answer took: the last one ends when the file was last changed.
 * @throws SkeinError (`recording-missing`, `recording-unreadable`)
 */
export async function openRecording(file: string): Promise<readonly RunRecord[]> {
  const exchanges = readExchanges(file);
  const { mtimeMs } = await stat(file);
  const reader = new RecordingReader(
    basename(file),
    mtimeMs - exchanges.reduce((sum, each) => sum + durationOf(each), 0),
  );
  for (const exchange of exchanges) reader.add(exchange);
  return reader.finish();
}

/** The file may also have been one of results: what is wrong with it as a recording says little then. */
function readExchanges(file: string): readonly RecordedExchange[] {
  try {
    return readRecording(file);
  } catch (error) {
    if (!(error instanceof SkeinError) || error.code !== "recording-unreadable") throw error;
    throw new SkeinError(
      `${file} is neither a recording of skein/testing nor a file of results that skein eval --json wrote. As a recording: ${error.message}`,
      { code: error.code, data: { file }, cause: error },
    );
  }
}

class RecordingReader {
  readonly #name: string;
  readonly #records: RunRecord[] = [];
  #time: number;
  #last: { readonly step: Open<ModelStep>; readonly messages: readonly Message[] } | undefined;

  constructor(name: string, time: number) {
    this.#name = name;
    this.#time = time;
  }

  add(exchange: RecordedExchange): void {
    const { model = "http:unknown", request, error, wire = [] } = exchange;
    const messages = request?.messages ?? [];
    const record = this.#recordFor(messages);
    const generation = generationOf(exchange);
    const separator = model.indexOf(":");
    const start = this.#time;
    this.#time += durationOf(exchange);
    const step = addAnswer(record, {
      agent: record.agent,
      provider: model.slice(0, separator),
      modelId: model.slice(separator + 1),
      messages,
      instructions: request?.instructions,
      message: generation?.message,
      usage: generation?.usage,
      start,
      end: this.#time,
    });
    if (generation) step.finishReason = generation.finishReason;
    if (error) step.error = error.message;
    if (request?.tools) record.tools.set(record.agent, request.tools);
    for (const each of wire) addWire(record, step, each, start);
    if (wire.length === 0 && request) {
      const plain = new Exchange(record.exchanges.length + 1, step.id, { plain: request, model });
      plain.sentAt = start;
      addExchange(record, step, plain);
    }
    this.#last = { step, messages };
  }

  finish(): readonly RunRecord[] {
    this.#addCalls([]);
    for (const record of this.#records) {
      const last = record.steps.findLast((step) => step.kind === "model");
      record.endedAt = Math.max(record.startedAt, ...record.steps.map(({ end = 0 }) => end));
      record.status = last?.kind === "model" && last.error !== undefined ? "failed" : "completed";
      if (record.status === "failed" && last?.kind === "model") record.error = last.error;
    }
    return this.#records;
  }

  /** The run that an exchange belongs to. */
  #recordFor(messages: readonly Message[]): RunRecord {
    const current = this.#records.at(-1);
    const before = this.#last;
    const goesOn =
      before !== undefined &&
      messages.length > before.messages.length &&
      before.messages.every((message, index) => sameJson(message, messages[index]));
    const added = goesOn ? messages.slice(before.messages.length) : [];
    this.#addCalls(added);
    const isNew = added.some(({ role }) => role === "user");
    if (current && goesOn && !isNew) return current;
    const number = this.#records.length + 1;
    const conversation = current && goesOn ? current.conversation : `${this.#name}#${number}`;
    const record = new RunRecord(`${this.#name}#${number}`, conversation, agentIn(messages), this.#time);
    record.source = "recording";
    record.question = newestUserText(messages);
    this.#records.push(record);
    return record;
  }

  /** Adds the calls of the last answer, whose results the next request has, and the name of the agent that made it. */
  #addCalls(messages: readonly Message[]): void {
    const record = this.#records.at(-1);
    const step = this.#last?.step;
    if (!record || !step) return;
    const answer = messages.find((message) => message.role === "assistant");
    if (answer?.role === "assistant" && answer.agent !== undefined) nameAgent(record, step, answer.agent);
    // A run may rename the ids of its calls.
    const calls = answer?.role === "assistant" ? answer.toolCalls : step.calls;
    for (const call of calls) addCall(record, step, call, messages, step.end ?? step.start);
    this.#last = undefined;
  }
}

function agentIn(messages: readonly Message[]): string {
  const answer = messages.findLast((message) => message.role === "assistant");
  return (answer?.role === "assistant" ? answer.agent : undefined) ?? unnamedAgent;
}

/** Requests do not name the agent: the next one says who has answered the one before. */
function nameAgent(record: RunRecord, step: Open<ModelStep>, agent: string): void {
  const tools = record.tools.get(step.agent);
  if (tools && !record.tools.has(agent)) record.tools.set(agent, tools);
  if (record.agent === unnamedAgent && step.agent === unnamedAgent) record.agent = agent;
  step.agent = agent;
}

function generationOf({ events = [] }: RecordedExchange): Generation | undefined {
  const last = events.at(-1);
  return last?.type === "finish" ? last.generation : undefined;
}

function durationOf(exchange: RecordedExchange): number {
  const { totalMs = 0 } = generationOf(exchange)?.timing ?? {};
  return Number.isFinite(totalMs) && totalMs > 0 ? totalMs : 0;
}

function addWire(
  record: RunRecord,
  step: Open<ModelStep>,
  { request: { url, headers, body }, response, failure }: WireExchange,
  sentAt: number,
): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const exchange = new Exchange(record.exchanges.length + 1, step.id, { wire: { url, headers, body: text } });
  exchange.sentAt = sentAt;
  exchange.status = response?.status;
  exchange.answerHeaders = Object.entries(response?.headers ?? {});
  for (const chunk of response?.chunks ?? []) exchange.addPiece(decodeChunk(chunk), sentAt);
  exchange.end = response?.end;
  exchange.failure = failure?.message;
  addExchange(record, step, exchange);
}

function addExchange(record: RunRecord, step: Open<ModelStep>, exchange: Exchange): void {
  record.exchanges.push(exchange);
  step.requests = [...step.requests, exchange.number];
  record.size += exchange.length + exchange.pieces.reduce((sum, { bytes }) => sum + bytes.length, 500);
}

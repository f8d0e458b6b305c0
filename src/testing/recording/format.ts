import { SkeinError } from "../../errors.ts";
import type { ModelEvent, ModelRequest } from "../../model/types.ts";
import { isPlainObject, type JsonValue } from "../../base/util/json.ts";

/** A piece of an answer as the network gave it: text, or bytes where they are not whole UTF-8 characters. */
export type RecordedChunk = string | { readonly base64: string };

/** A request as it was sent, its secrets removed. */
export interface RecordedRequest {
  readonly method: string;
  readonly url: string;
  /** All names, in lower case; the values of those that hold no secret. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body: as JSON where it is some. */
  readonly body: JsonValue;
}

/** An answer as it came. */
export interface RecordedAnswer {
  readonly status: number;
  /** Those that say how to read the answer and how long to wait, never cookies or names of accounts. */
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: readonly RecordedChunk[];
  /** How the answer ended, if not in order: the connection broke, or nobody read on. */
  readonly end?: "cut" | "left";
}

/** One request over HTTP and what came of it. */
export interface WireExchange {
  readonly request: RecordedRequest;
  readonly response?: RecordedAnswer;
  /** There was no answer at all. */
  readonly failure?: { readonly message: string; readonly code?: string };
}

/** How a model failed. */
export interface RecordedError {
  readonly name: string;
  readonly message: string;
  /** What the error says of itself, if it is a `ModelError`. */
  readonly details?: Readonly<Record<string, JsonValue | undefined>>;
  /** Whether the model has tried again itself: a run does not. */
  readonly isFinal?: boolean;
}

/** One line of a recording: the model's request, its answer, and what went over the wire meanwhile. */
export interface Exchange {
  /** Such as `"openai:gpt-5.2"`. */
  readonly model?: string;
  readonly request?: Omit<ModelRequest, "signal">;
  readonly events?: readonly ModelEvent[];
  readonly error?: RecordedError;
  /** The reader of the events left before their end. */
  readonly left?: true;
  readonly wire?: readonly WireExchange[];
}

/** The first line of every recording. */
export const header: string = `${JSON.stringify({ skein: "recording", version: 1 })}\n`;

/** One exchange as a line, redacted as a whole: nothing is written without passing here. */
export function formatExchange(exchange: Exchange, redact: { json(value: unknown): JsonValue }): string {
  return `${JSON.stringify(redact.json(exchange))}\n`;
}

/**
 * Reads a recording.
 * @throws SkeinError (`recording-unreadable`) naming the line.
 */
export function parseRecording(text: string, file: string): readonly Exchange[] {
  const [first = "", ...lines] = text.split("\n");
  const { skein, version } = parseLine(first, file, 1);
  if (skein !== "recording" || version !== 1) {
    throw unreadable(`${file} is not a recording that this version of Skein can read.`, file);
  }
  return lines.flatMap((line, index): Exchange[] =>
    line.trim() === "" ? [] : [parseLine(line, file, index + 2)],
  );
}

function parseLine(line: string, file: string, number: number): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw unreadable(`${file}:${number} is not JSON.`, file, cause);
  }
  if (isPlainObject(value)) return value;
  throw unreadable(`${file}:${number} is not a JSON object.`, file);
}

function unreadable(message: string, file: string, cause?: unknown): SkeinError {
  return new SkeinError(`${message} Record it again.`, {
    code: "recording-unreadable",
    data: { file },
    cause,
  });
}

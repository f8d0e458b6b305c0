import { fingerprint } from "../base/util/fingerprint.ts";
import { isPlainObject } from "../base/util/json.ts";
import { result } from "../tool/result.ts";
import type { ToolContext } from "../tool/tool-context.ts";
import type { Tool } from "../tool/types.ts";
import { Bridge, type OwnCalls } from "./bridge.ts";
import { InterpreterError, ProgramError } from "./errors.ts";
import { linesBefore, wrapProgram, type ProgramLog, type ProgramOutcome } from "./prelude.ts";
import type { CodeLimits, Interpreter } from "./types.ts";

/** The least that a program may pass to its tools at once, in characters. */
const longestBatch = 1_000_000;

/** What a program is run with. */
export interface ProgramHost {
  readonly interpreter: Interpreter;
  readonly limits: Required<CodeLimits>;
  /** By the names that programs have for them. */
  readonly tools: ReadonlyMap<string, Tool>;
  /** Whether programs search the tools. */
  readonly search: boolean;
  readonly ownCalls: OwnCalls;
  /** What else the model should know of what the tools have returned. */
  readonly describeValues: (values: ReadonlyMap<string, unknown>, context: ToolContext) => string | undefined;
}

/**
 * Runs a program of a model, and returns what it returns as its tool's result. It may run again from its beginning, after a pause or a
 * crash: it then makes the same calls, and those that were done are answered from the log.
 * @throws ProgramError in the words that a model reads; what the run throws where a call waits.
 */
export async function runProgram(code: string, context: ToolContext, host: ProgramHost): Promise<unknown> {
  const { interpreter, limits, tools, search, ownCalls } = host;
  const { outputChars, timeoutMs, memoryMb } = limits;
  const bridge = new Bridge(context, tools, limits, ownCalls);
  // Where a program has no use for the time, no log has to keep it.
  const now = code.includes("Date") ? await context.step("clock", () => Date.now()) : 0;
  const seed = Number.parseInt(fingerprint(context.idempotencyKey).slice(0, 8), 16) | 0;
  const text = await interpreter.execute({
    source: wrapProgram({ code, names: [...tools.keys()], search, now, seed, outputChars }),
    call: (batch) => bridge.call(batch),
    timeoutMs,
    memoryMb,
    maxChars: Math.max(longestBatch, 4 * outputChars),
    signal: context.signal,
  });
  const outcome = readOutcome(text);
  if (!outcome) throw new InterpreterError("The program did not end as it began.", "syntax");
  if (!outcome.ok) throw new ProgramError(describeFailure(outcome, code, limits));
  return toResult(outcome, bridge, outputChars, host.describeValues(bridge.values, context));
}

/** The program may have written anything. */
function readOutcome(text: string): ProgramOutcome | undefined {
  try {
    const outcome: unknown = JSON.parse(text);
    return isOutcome(outcome) ? outcome : undefined;
  } catch {
    return undefined;
  }
}

function isOutcome(value: unknown): value is ProgramOutcome {
  if (!isPlainObject(value)) return false;
  const { ok, log, text, length, error, lines } = value;
  if (!isPlainObject(log) || typeof log["text"] !== "string" || typeof log["length"] !== "number")
    return false;
  if (ok === false) return typeof error === "string" && isNumbers(lines);
  return ok === true && typeof length === "number" && (text === undefined || typeof text === "string");
}

function isNumbers(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === "number");
}

function toResult(
  { text, length, log }: Extract<ProgramOutcome, { readonly ok: true }>,
  { agent }: Bridge,
  outputChars: number,
  note: string | undefined,
): unknown {
  const isCut = text !== undefined && length > text.length;
  const value: unknown = text === undefined || isCut ? undefined : JSON.parse(text);
  const notes = [
    ...(isCut ? [`[The first ${text.length} of ${length} characters. Return less.]`] : []),
    ...printed(log, outputChars),
    ...(note === undefined ? [] : [note]),
  ];
  const more = { ...(value !== undefined && { value }), ...(agent && { agent }) };
  if (notes.length === 0) return agent ? result(more) : value;
  const words =
    text === undefined ? "The program returned nothing." : typeof value === "string" ? value : text;
  return result({ ...more, content: [words, ...notes].join("\n\n") });
}

function printed({ text, length }: ProgramLog, outputChars: number): readonly string[] {
  if (length === 0) return [];
  const words = text.slice(0, outputChars).trimEnd();
  return [`Printed:\n${words}${length > text.length ? `\n[${length - text.length} more characters]` : ""}`];
}

/** What QuickJS throws, in the program itself. */
const outOfMemory = "InternalError: out of memory";

/** What went wrong, in which line, and what the program had printed by then. */
function describeFailure(
  { error, lines: trace, log }: Extract<ProgramOutcome, { readonly ok: false }>,
  code: string,
  { outputChars, memoryMb }: Required<CodeLimits>,
): string {
  const words = error === outOfMemory ? `The program needed more than ${memoryMb} MB of memory.` : error;
  const lines = code.split("\n");
  const place = trace.map((line) => line - linesBefore()).find((line) => line >= 1 && line <= lines.length);
  const where = place === undefined ? "" : `\nat line ${place}: ${lines[place - 1]?.trim().slice(0, 200)}`;
  return [`${words}${where}`, ...printed(log, Math.min(outputChars, 2_000))].join("\n\n");
}

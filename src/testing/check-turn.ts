import { ConfigurationError } from "../errors.ts";
import { isPlainObject } from "../base/util/json.ts";
import { closest } from "../base/util/closest.ts";
import type { ScriptedToolCall, ScriptedTurn, TurnFunction } from "./turn.ts";

const turnKeys = {
  text: true,
  reasoning: true,
  toolCalls: true,
  finishReason: true,
  rawFinishReason: true,
  usage: true,
  refusal: true,
  shouldContinue: true,
  chunkSize: true,
  delay: true,
  error: true,
  errorAfter: true,
  cut: true,
} satisfies Record<keyof ScriptedTurn, true>;

const callKeys = { toolName: true, arguments: true, toolCallId: true } satisfies Record<
  keyof ScriptedToolCall,
  true
>;

interface NumberField {
  readonly expected: string;
  readonly fits: (value: number) => boolean;
}

const numbers: Readonly<Record<"chunkSize" | "delay" | "errorAfter", NumberField>> = {
  chunkSize: {
    expected: "a positive integer",
    fits: (value) => value === Infinity || (Number.isInteger(value) && value > 0),
  },
  delay: { expected: "milliseconds, at least 0", fits: (value) => Number.isFinite(value) && value >= 0 },
  errorAfter: { expected: "a number of events", fits: (value) => Number.isInteger(value) && value >= 0 },
};

/** How other libraries call the same things. */
const otherNames: Readonly<Record<string, string>> = {
  content: "text",
  name: "toolName",
  args: "arguments",
  input: "arguments",
  id: "toolCallId",
};

/**
 * Checks the script of a model, for programs that no type checker has seen.
 * @throws ConfigurationError (`invalid-turn`) naming the turn and what is wrong with it.
 */
export function assertTurns(turns: unknown): void {
  if (!Array.isArray(turns))
    throw invalidTurn('The turns of a ScriptedModel must be a list: new ScriptedModel(["Hello."]).');
  for (const [index, turn] of turns.entries())
    if (typeof turn !== "function") assertTurn(turn, `turns[${index}]`);
}

/**
 * Checks one answer; `place` names it in the error.
 * @throws ConfigurationError (`invalid-turn`)
 */
function assertTurn(turn: unknown, place: string): void {
  if (typeof turn === "string") return;
  if (!isRecord(turn))
    throw invalidTurn(
      `${place} is ${describe(turn)}. Expected text or an object, such as { text: "Hello." }.`,
    );
  assertKeys(turn, turnKeys, place);
  for (const key of ["text", "reasoning"]) {
    if (turn[key] !== undefined && typeof turn[key] !== "string")
      throw invalidTurn(`${place}.${key} must be text, not ${describe(turn[key])}.`);
  }
  assertNumbers(turn, place);
  const { toolCalls } = turn;
  if (toolCalls === undefined) return;
  if (!Array.isArray(toolCalls))
    throw invalidTurn(
      `${place}.toolCalls must be a list, not ${describe(toolCalls)}. Write: toolCalls: [{ toolName: "..." }]`,
    );
  for (const [index, call] of toolCalls.entries()) assertCall(call, `${place}.toolCalls[${index}]`);
}

/** @throws ConfigurationError (`invalid-turn`) for a number that cannot be played, such as pieces of no characters. */
function assertNumbers(turn: Readonly<Record<string, unknown>>, place: string): void {
  for (const [name, { expected, fits }] of Object.entries(numbers)) {
    const value = turn[name];
    if (value === undefined || (typeof value === "number" && fits(value))) continue;
    throw invalidTurn(`${place}.${name} must be ${expected}, not ${describe(value)}.`);
  }
}

/** The same function, its answers checked. */
export function checkedAnswer(answer: TurnFunction): TurnFunction {
  return async (request) => {
    const turn = await answer(request);
    assertTurn(turn, "The answer of the function");
    return turn;
  };
}

function assertCall(call: unknown, place: string): void {
  if (!isRecord(call))
    throw invalidTurn(`${place} is ${describe(call)}. Expected { toolName: "...", arguments: {} }.`);
  assertKeys(call, callKeys, place);
  if (typeof call["toolName"] !== "string")
    throw invalidTurn(`${place}.toolName must be the name of a tool, not ${describe(call["toolName"])}.`);
  const { arguments: args } = call;
  if (args !== undefined && typeof args !== "string" && !isPlainObject(args))
    throw invalidTurn(`${place}.arguments must be an object or its JSON, not ${describe(args)}.`);
}

function assertKeys(
  value: Readonly<Record<string, unknown>>,
  allowed: Readonly<Record<string, true>>,
  place: string,
): void {
  const keys = Object.keys(allowed);
  for (const key of Object.keys(value)) {
    if (Object.hasOwn(allowed, key)) continue;
    const [near] = Object.hasOwn(otherNames, key)
      ? keys.filter((each) => each === otherNames[key])
      : closest(key, keys, 1);
    const hint = near === undefined ? `Expected: ${keys.join(", ")}.` : `Did you mean "${near}"?`;
    throw invalidTurn(`${place} has no property "${key}". ${hint}`);
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function describe(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return `the ${typeof value} ${value}`;
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

function invalidTurn(message: string): ConfigurationError {
  return new ConfigurationError(message, { code: "invalid-turn" });
}

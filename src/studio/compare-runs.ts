import type { ModelStep, RunDetail, ToolStep } from "./records.ts";

/** A turn of a run: its model call, and the calls of its answer. */
export interface ComparedTurn {
  readonly step: ModelStep;
  readonly calls: readonly ToolStep[];
}

/** The same turn of two runs. */
export interface TurnPair {
  /** The turn of the first run; that of the other one where the first is over. */
  readonly turn: number;
  readonly one?: ComparedTurn;
  readonly other?: ComparedTurn;
  /** The first difference between the two, in words; `undefined` if there is none. */
  readonly difference?: string;
}

/**
 * Two runs, turn by turn. A replay is compared with the run that it repeats from the turn on that it begins with; what the run had before is in
 * neither.
 */
export function compareRuns(one: RunDetail, other: RunDetail): readonly TurnPair[] {
  const [before, after] = [skipped(one, other), skipped(other, one)];
  const left = turnsOf(one).slice(before);
  const right = turnsOf(other).slice(after);
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index): TurnPair => {
    const [a, b] = [left[index], right[index]];
    const difference = differenceOf(a, b);
    return {
      turn: (a ?? b)?.step.turn ?? index + 1,
      ...(a && { one: a }),
      ...(b && { other: b }),
      ...(difference !== undefined && { difference }),
    };
  });
}

/** How many turns of a run come before the replay of it begins. */
function skipped({ id }: RunDetail, { replayOf }: RunDetail): number {
  return replayOf?.runId === id ? replayOf.turn - 1 : 0;
}

function turnsOf({ steps }: RunDetail): readonly ComparedTurn[] {
  const top = steps.filter(({ parent }) => parent === undefined);
  return top.flatMap((step, index): ComparedTurn[] => {
    if (step.kind !== "model") return [];
    const next = top.findIndex((each, place) => place > index && each.kind === "model");
    const calls = top
      .slice(index + 1, next < 0 ? undefined : next)
      .filter((each) => each.kind === "tool")
      // Of a call that waited, what came of it in the end.
      .filter(
        (call, place, all) => !all.slice(place + 1).some(({ toolCallId }) => toolCallId === call.toolCallId),
      );
    return [{ step, calls }];
  });
}

function differenceOf(one: ComparedTurn | undefined, other: ComparedTurn | undefined): string | undefined {
  if (!one || !other) return one ? "only in the first run" : "only in the second run";
  if (one.step.agent !== other.step.agent) return `agent ${other.step.agent} instead of ${one.step.agent}`;
  const text = firstCharacter(one.step.text, other.step.text);
  if (text !== undefined) return `text, character ${text}`;
  for (let index = 0; index < Math.max(one.calls.length, other.calls.length); index++) {
    const difference = differenceOfCalls(one.calls[index], other.calls[index]);
    if (difference !== undefined) return difference;
  }
  return one.step.error === other.step.error ? undefined : "error of the model";
}

function differenceOfCalls(one: ToolStep | undefined, other: ToolStep | undefined): string | undefined {
  if (!one || !other)
    return `call of ${(one ?? other)?.toolName ?? ""} only in the ${one ? "first" : "second"} run`;
  if (one.toolName !== other.toolName) return `call of ${other.toolName} instead of ${one.toolName}`;
  const isSame = one.arguments === other.arguments;
  const path = isSame ? undefined : firstPath(parsed(one.arguments), parsed(other.arguments));
  if (path !== undefined) return `${one.toolName}, arguments${path}`;
  if (one.outcome !== other.outcome)
    return `${one.toolName}, ${other.outcome ?? "no result"} instead of ${one.outcome ?? "no result"}`;
  return one.result === other.result ? undefined : `${one.toolName}, result`;
}

/** The first place at which two texts differ, counted from 0; `undefined` if they do not. */
export function firstCharacter(one: string, other: string): number | undefined {
  if (one === other) return undefined;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text === "" ? "{}" : text);
  } catch {
    return text;
  }
}

/** Where two values differ first, such as `.items[0].amount`; `undefined` if they do not. */
function firstPath(one: unknown, other: unknown): string | undefined {
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other))
    return JSON.stringify(one) === JSON.stringify(other) ? undefined : "";
  const [left, right] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    const path = left.has(name) && right.has(name) ? firstPath(left.get(name), right.get(name)) : "";
    if (path !== undefined) return `${Array.isArray(one) ? `[${name}]` : `.${name}`}${path}`;
  }
  return undefined;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

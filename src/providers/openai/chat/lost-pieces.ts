import { type ArgumentsShape, shapeOfArguments } from "./call-pieces.ts";

/** A call of an answer, with all the pieces that were taken for its own. */
export interface AssembledCall {
  readonly name: string;
  /** What the server named it at its beginning. */
  readonly firstId: string;
  readonly index: number | undefined;
  /** Whether it is an entry of a whole answer, which states each call once. */
  readonly isWhole: boolean;
  /** How many of its pieces begin as an object does. */
  readonly beginnings: number;
}

/** What is certain of the calls of an answer. */
export interface CallFacts<Call> {
  /** Whether another id is another call. */
  readonly hasSureIds: boolean;
  /** Returns the arguments of a call. */
  readonly textOf: (call: Call) => string;
}

const piecesApart = "sent the pieces of a call as those of several calls.";

/**
 * What shows that pieces of calls went astray; `undefined` if nothing does. A single call cannot lose any: what is wrong with its
 * arguments is its model's doing.
 */
export function lossOf<Call extends AssembledCall>(
  calls: readonly Call[],
  { hasSureIds, textOf }: CallFacts<Call>,
): string | undefined {
  if (calls.some(({ name }) => name === "")) return "sent a call without a name.";
  if (calls.length < 2 || calls.every(({ isWhole }) => isWhole)) return undefined;
  const shapes = calls.map((call) => shapeOf(call, textOf(call)));
  const has = (shape: ArgumentsShape | "mixed"): boolean => shapes.includes(shape);
  // What one call has too much is what the other one lacks.
  if (has("more") && (has("empty") || has("open"))) return piecesApart;
  if ((has("rest") && has("open")) || (has("mixed") && has("empty"))) return piecesApart;
  const empty = calls.filter((_, place) => shapes[place] === "empty");
  const mayBeOne = (call: Call, other: Call): boolean =>
    call !== other && call.name === other.name && !(hasSureIds && areTwo(call, other));
  return empty.some((call) => calls.some((other) => mayBeOne(call, other))) ? piecesApart : undefined;
}

/** Whether two calls with one name are told apart by their ids, and not contradicted by their indexes. */
function areTwo(call: AssembledCall, other: AssembledCall): boolean {
  if (call.firstId === "" || other.firstId === "" || call.firstId === other.firstId) return false;
  return call.index === undefined ? other.index === undefined : call.index !== other.index;
}

/** The shape of a call's arguments. They may be those of several calls if they begin more than once, and are not JSON. */
function shapeOf({ beginnings }: AssembledCall, text: string): ArgumentsShape | "mixed" {
  const shape = shapeOfArguments(text);
  if (shape !== "whole" || beginnings < 2) return shape;
  try {
    JSON.parse(text);
    return shape;
  } catch {
    return "mixed";
  }
}

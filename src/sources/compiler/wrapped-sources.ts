import type { FunctionNode } from "./function-nodes.ts";
import { isGenericPlace } from "./generic-places.ts";
import type { CallExpression, Expression, Host, NewExpression } from "./host.ts";
import { valuesWithin, type PassedValue } from "./passed-values.ts";
import { createdBy } from "./related-types.ts";
import { returnedExpressions } from "./returned-expressions.ts";
import { declaredParameters } from "./signatures.ts";
import { followValue, type FunctionValue, type WrappedValue } from "./use-sites-values.ts";

/** A function whose parameters may be those of an expression. */
export interface Candidate {
  readonly node: FunctionNode;
  readonly name: string;
  /** How many of its parameters `bind` has filled. */
  readonly bound: number;
}

/** A function that a wrapper gets. */
export interface WrappedFunction extends Candidate {
  /** Whether the wrapper takes one of any type: it gets what the result takes. A logger, a check have a type of their own. */
  readonly isGeneric: boolean;
}

/** How many wrappers around one another are looked into. */
const mostWrappers = 10;

/** Whether a function takes all its arguments as one list for what it was made with, by a call or by `new`. */
export function isPassingOn(host: Host, value: FunctionValue): boolean {
  const isList = declaredParameters(host, value.node).some(
    ({ isRest, name }) => isRest && name !== undefined,
  );
  return isList && value.bound === 0 && creationOf(host, value) !== undefined;
}

/**
 * The functions among the arguments of a wrapper.
 * @param takesArguments - Whether its result does: a callback without parameters then stands for what it returns.
 */
export function wrappedFunctions(
  host: Host,
  value: FunctionValue | WrappedValue,
  takesArguments: boolean,
): readonly WrappedFunction[] {
  if (value.kind === "function") return [];
  const reading = { host, takesArguments, depth: mostWrappers };
  return value.functions.flatMap((expression) =>
    ofExpression(
      reading,
      expression,
      isGenericPlace(host, value.call, value.call.arguments.indexOf(expression)),
    ),
  );
}

/** The same, with those within objects and lists. */
export function functionsWithin(
  host: Host,
  value: FunctionValue | WrappedValue,
  takesArguments: boolean,
): readonly WrappedFunction[] {
  return ofValue({ host, takesArguments, depth: mostWrappers }, value);
}

interface Reading {
  readonly host: Host;
  readonly takesArguments: boolean;
  readonly depth: number;
}

function ofValue(reading: Reading, value: FunctionValue | WrappedValue): readonly WrappedFunction[] {
  const { host, depth } = reading;
  const creation = value.kind === "wrapped" ? value.call : creationOf(host, value);
  if (creation === undefined || depth === 0) return [];
  const inner = { ...reading, depth: depth - 1 };
  return [...(creation.arguments ?? [])].flatMap((argument, place) => {
    const isGeneric = isGenericPlace(host, creation, place);
    return valuesWithin(host, argument).flatMap((each) => ofPassed(inner, each, isGeneric));
  });
}

function ofPassed(reading: Reading, value: PassedValue, isGeneric: boolean): readonly WrappedFunction[] {
  if (value.kind === "function") return ofExpression(reading, value.expression, isGeneric);
  return value.kind === "method" ? [{ node: value.method, name: "", bound: 0, isGeneric }] : [];
}

function ofExpression(
  reading: Reading,
  expression: Expression,
  isGeneric: boolean,
): readonly WrappedFunction[] {
  const { host, depth } = reading;
  const value = followValue(host, expression);
  if ((value.kind !== "function" && value.kind !== "wrapped") || depth === 0) return [];
  if (value.kind === "wrapped" || isPassingOn(host, value)) {
    const inner = ofValue({ ...reading, depth: depth - 1 }, value);
    return inner.map((each) => ({ ...each, isGeneric: isGeneric && each.isGeneric }));
  }
  const returned = ofCallback(reading, value, isGeneric);
  const { node, name, bound } = value;
  return returned.length > 0 ? returned : [{ node, name, bound, isGeneric }];
}

/** The functions that a callback without parameters returns: `lazily(() => fn)`. */
function ofCallback(
  { host, takesArguments, depth }: Reading,
  { node }: FunctionValue,
  isGeneric: boolean,
): readonly WrappedFunction[] {
  const body = "body" in node ? node.body : undefined;
  if (!takesArguments || body === undefined || node.parameters.length > 0) return [];
  const values = returnedExpressions(host, body).flatMap((each) => valuesWithin(host, each));
  return values.flatMap((each) => ofPassed({ host, takesArguments, depth: depth - 1 }, each, isGeneric));
}

/** What a function was made by that only passes its arguments on: a call, or the `new` of its object. */
function creationOf(
  host: Host,
  { creation, member }: FunctionValue,
): CallExpression | NewExpression | undefined {
  return creation ?? (member && createdBy(host, member.object));
}

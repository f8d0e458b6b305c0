import type { FunctionSchema } from "../../schema/function-schema.ts";
import { withoutLeadingParameters } from "./bound.ts";
import { isRestOfAny, refuseCaller } from "./callers.ts";
import { createReport, signatureError } from "./diagnostics.ts";
import { emptyDoc, functionDoc } from "./function-docs.ts";
import { functionOfSignature, runtimeName, type FunctionNode } from "./function-nodes.ts";
import {
  describeFunction,
  describeSignature,
  type FunctionDescription,
  type WordSource,
} from "./functions.ts";
import type { CallExpression, Expression, Host, Node, Signature, Type } from "./host.ts";
import { withLostConstraints } from "./lost-constraints.ts";
import { callsParameter, isOpaque, passesContext } from "./package-wrappers.ts";
import type { SchemaNotFoundError } from "../../errors.ts";
import { neededThisOf } from "./this-types.ts";
import { isOwnSignature, isRenamed, signatureParameters, takeTheSame } from "./signatures.ts";
import {
  contextPlaces,
  signatureContextPlaces,
  undeclaredContext,
  undeclaredContextError,
  type ContextPlace,
} from "./undeclared-contexts.ts";
import { bare, withTypes } from "./use-sites-expressions.ts";
import {
  codeOf,
  describeText,
  followValue,
  returnedByCode,
  type FunctionValue,
  type Value,
  type WrappedValue,
} from "./use-sites-values.ts";
import { ambiguousWrapper, type Candidate, declaringFunctions, wrappedSource } from "./wrapped-functions.ts";
import { isPassingOn } from "./wrapped-sources.ts";

/** A description, and the function that it was read from: the files of both decide what it says. */
export interface DescribedValue {
  readonly description: FunctionDescription;
  readonly node: Node;
}

/**
 * Describes the function that an expression stands for. Its type counts: a wrapper's code says less than the type of what it
 * returns. Of the functions that declare just what the type says, one with a comment describes it best.
 * @param type - The type of the expression, if it may differ from the function's own.
 */
export function describeValue(
  host: Host,
  value: FunctionValue | WrappedValue,
  expression: Expression | undefined,
  type: Type | undefined = value.type,
): DescribedValue {
  const place = expression ?? (value.kind === "wrapped" ? value.call : value.node);
  const caller = value.kind === "function" ? refuseCaller(host, value, place) : undefined;
  if (caller !== undefined) return { description: caller, node: place };
  // What `bind` has left of a function keeps its defaults and its comments, which the type has not.
  const isItself =
    type === undefined || isOneOfSeveral(host, type) || (value.kind === "function" && value.bound > 0);
  if (value.kind === "function" && isItself) return ofNode(host, value.node, value.name, value.bound);
  const signatures = type === undefined ? [] : host.callSignatures(type);
  const [signature] = signatures;
  if (signature === undefined) {
    return value.kind === "function"
      ? ofNode(host, value.node, value.name, 0)
      : refused(place, "its type has no signature");
  }
  const isOwn =
    value.kind === "function" && signatures.length === 1 && isOwnSignature(host, value.node, signature);
  if (isOwn) return ofNode(host, value.node, value.name, 0);
  const hidden = hiddenContext(host, value, signatures, place);
  if (hidden !== undefined) return { description: hidden, node: place };
  if (value.kind === "function" && isRenamed(host, value.node, signatureParameters(host, signature, place)))
    return ofNode(host, value.node, value.name, 0);
  const opaque = value.kind === "wrapped" ? opaqueWrapper(host, value) : undefined;
  if (opaque !== undefined) return refusedContext(opaque);
  if (!takeTheSame(host, signatures, place)) return ofOverloads(host, value, signatures, place);
  const result = ofSignature(host, value, signature, place);
  if (value.kind === "wrapped") return asCalled(host, signature, result);
  return asInstance(result.node === value.node ? result : asCalled(host, signature, result));
}

/** The error for a function whose context its type hides, here or where a wrapper gets it. */
export function hiddenContext(
  host: Host,
  value: FunctionValue | WrappedValue,
  signatures: readonly Signature[],
  place: Node,
  depth = 0,
): SchemaNotFoundError | undefined {
  const caller = value.kind === "function" ? refuseCaller(host, value, place) : undefined;
  if (caller !== undefined) return caller;
  const places = value.kind === "function" ? contextPlaces(host, value.node) : resultPlaces(host, value);
  for (const signature of signatures) {
    const hidden = undeclaredContext(host, places, signatureParameters(host, signature, place), value.bound);
    if (hidden !== undefined) {
      return undeclaredContextError(nameOf(host, value, wrappedSource(host, value, [])), hidden);
    }
  }
  if (value.kind === "function" || depth === mostWrappers) return undefined;
  for (const argument of value.functions) {
    const inner = followValue(host, argument);
    if (inner.kind !== "function" && inner.kind !== "wrapped") continue;
    const [type] = host.typesAt([withTypes(host, argument)]);
    const own = type === undefined ? [] : host.callSignatures(type);
    const error = hiddenContext(host, inner, own, argument, depth + 1);
    if (error !== undefined) return error;
  }
  return undefined;
}

/** Where the type of what a call returns has a context. */
function resultPlaces(host: Host, { type, call }: WrappedValue): readonly ContextPlace[] {
  return host.callSignatures(type).flatMap((own) => signatureContextPlaces(host, own, call));
}

/** How many wrappers around one another are looked into. */
const mostWrappers = 10;

/** Which call passes a function with a context to a package, whose code alone shows where the function gets the context. */
function opaqueWrapper(host: Host, value: WrappedValue): CallExpression | undefined {
  /** @param isInside - Whether the call stands in a wrapper's code, whose parameters are the arguments of a call seen before. */
  const isMoving = (call: CallExpression, isInside: boolean): boolean =>
    !(isInside && callsParameter(host, call)) && isOpaque(host, call, (fn) => codeOf(host, fn));
  /** One whose result is not a function to the checker: `wrap.apply(undefined, [fn])`. */
  const opaqueCall = (expression: Expression, isInside: boolean): CallExpression | undefined => {
    const call = bare(host, expression);
    if (!host.syntax.isCallExpression(call) || call.arguments.length === 0) return undefined;
    return isMoving(call, isInside) ? call : undefined;
  };
  const within = (wrapped: Value, depth: number, isInside: boolean): CallExpression | undefined => {
    if (wrapped.kind !== "wrapped" || depth > mostWrappers) return undefined;
    if (isMoving(wrapped.call, isInside)) return wrapped.call;
    const inner = (expression: Expression, isInner: boolean): CallExpression | undefined =>
      opaqueCall(expression, isInner) ?? within(followValue(host, expression), depth + 1, isInner);
    for (const fn of wrapped.functions) {
      const match = inner(fn, isInside);
      if (match !== undefined) return match;
    }
    const result = returnedByCode(host, wrapped.call);
    return result.kind === "expression" ? inner(result.expression, true) : within(result, depth + 1, true);
  };
  return takesContextWithin(host, value, 0) ? within(value, 0, false) : undefined;
}

function takesContextWithin(host: Host, value: Value, depth: number): boolean {
  if (value.kind !== "wrapped" || depth > mostWrappers) return false;
  if (passesContext(host, value.call)) return true;
  return value.functions.some((fn) => takesContextWithin(host, followValue(host, fn), depth + 1));
}

/** A function with other types than its own may be used with others again. */
function asInstance({ description, node }: DescribedValue): DescribedValue {
  return {
    description: description instanceof Error ? description : { ...description, instance: true },
    node,
  };
}

/** A wrapper may call a function on an object of its own: whether it needs one itself, its type says. */
function asCalled(host: Host, signature: Signature, { description, node }: DescribedValue): DescribedValue {
  if (description instanceof Error || neededThisOf(host, signature) !== undefined)
    return { description, node };
  const { thisType: _inner, ...rest } = description;
  return { description: rest, node };
}

/** Of a list's elements, say, types know only that they are one of several: the text knows which. */
function isOneOfSeveral(host: Host, type: Type): boolean {
  const { Undefined, Null } = host.flags;
  return host.unionMembers(type).filter(({ flags }) => (flags & (Undefined | Null)) === 0).length > 1;
}

function ofSignature(
  host: Host,
  value: FunctionValue | WrappedValue,
  signature: Signature,
  place: Node,
): DescribedValue {
  const parameters = signatureParameters(host, signature, place);
  const declaring = declaringFunctions(host, value, signature, parameters);
  const isWritten = value.kind === "function" && declaring[0]?.node === value.node;
  if (!isWritten && parameters.some((parameter) => isRestOfAny(host, parameter))) {
    return refused(place, "its type says nothing of its parameters");
  }
  const functions = declaring.filter(({ node }) => host.syntax.isFunctionLikeDeclaration(node));
  const documented = functions.find((candidate) => isDocumented(host, candidate));
  const isRunning = value.kind === "function" && functions[0]?.node === value.node && hasCode(value.node);
  const chosen = isRunning ? functions[0] : (documented ?? functions[0]);
  const source = wrappedSource(host, value, parameters);
  const ambiguousNames = ambiguousWrapper(host, value, parameters, chosen);
  if (ambiguousNames)
    return refused(place, `its type does not say which takes its arguments: ${ambiguousNames.join(" or ")}`);
  const words = documentedNode(host, value, source);
  if (chosen !== undefined) {
    const inner = isRunning ? (documented ?? words) : words;
    return ofNode(host, chosen.node, nameOf(host, value, chosen, source), 0, inner);
  }
  const name = nameOf(host, value, source);
  const [declared] = declaring;
  if (declared !== undefined && (source === undefined || !isDocumented(host, source))) {
    return asReturned(value, ofNode(host, declared.node, name, 0, words));
  }
  const ofType = describeSignature(host, signature, { name, documented: words, node: place });
  const hasSource = source !== undefined && source !== value;
  const description = hasSource ? ofType : withLostConstraints(host, ofType, value, parameters, place);
  return asReturned(value, { description, node: source?.node ?? place });
}

/** A wrapper may return the very function that it was given, which has another type elsewhere. */
function asReturned(value: FunctionValue | WrappedValue, described: DescribedValue): DescribedValue {
  return value.kind === "wrapped" ? asInstance(described) : described;
}

function hasCode(node: FunctionNode): boolean {
  return "body" in node && node.body !== undefined;
}

/** What has a comment about a function: the one that was wrapped; else the comment above the wrapper's call speaks of its result. */
function documentedNode(
  host: Host,
  value: FunctionValue | WrappedValue,
  source: Candidate | undefined,
): WordSource | undefined {
  const isWords = source !== undefined && functionDoc(host, source.node) !== emptyDoc;
  return isWords || value.kind === "function" ? source : { node: value.call, bound: 0 };
}

function isDocumented(host: Host, { node }: Candidate): boolean {
  return functionDoc(host, node).summary !== "";
}

/** A wrapper's code gives no name to what it returns: the variable has one, or the function that was wrapped. */
function nameOf(
  host: Host,
  value: FunctionValue | WrappedValue,
  ...candidates: readonly (Candidate | undefined)[]
): string {
  if (value.kind === "function" && (value.name !== "" || !isPassingOn(host, value))) return value.name;
  const parent = value.kind === "wrapped" ? value.call.parent : value.creation?.parent;
  const variable = parent && host.syntax.isVariableDeclaration(parent) ? parent.name : undefined;
  if (variable && host.syntax.isIdentifier(variable)) return variable.text;
  return candidates.find((candidate) => candidate?.name)?.name ?? "";
}

/** Of a function with several declarations, the first one counts; a type that can be called in several ways says too much. */
function ofOverloads(
  host: Host,
  value: FunctionValue | WrappedValue,
  signatures: readonly Signature[],
  place: Node,
): DescribedValue {
  const [first, ...others] = signatures.map((signature) => functionOfSignature(host, signature));
  const isOverloaded =
    first !== undefined &&
    !host.syntax.isCallSignatureDeclaration(first) &&
    others.every((other) => other?.parent === first.parent && other.kind === first.kind);
  if (!isOverloaded) return refused(place, `its type has ${signatures.length} signatures`);
  if (value.kind === "function") return ofNode(host, value.node, value.name, 0);
  const described = ofNode(host, first, runtimeName(host, first) ?? "", 0);
  return host.syntax.isFunctionLikeDeclaration(first) ? described : asReturned(value, described);
}

function ofNode(
  host: Host,
  node: FunctionNode,
  name: string,
  bound: number,
  inner?: WordSource,
): DescribedValue {
  const description: FunctionDescription = describeFunction(host, node, name, inner);
  const isSchema = (result: FunctionDescription): result is FunctionSchema => !(result instanceof Error);
  return {
    description: isSchema(description) ? withoutLeadingParameters(description, bound) : description,
    node,
  };
}

function refused(
  node: Node,
  message: string,
  remedy = "Write a function of your own that calls it, with types: (city: string) => fn(city).",
): DescribedValue {
  const report = createReport();
  report.problem("", node, message, "untyped");
  return { description: signatureError(describeText(node), report.problems, { remedy }), node };
}

/** Types of packages say what arguments a wrapper takes, and nothing of the order in which it passes them on. */
function refusedContext(call: CallExpression): DescribedValue {
  return refused(
    call,
    `only the code of ${describeText(call.expression)} shows at which place it passes the ToolContext on`,
    "Call it in a function of your own, which passes the context where it belongs: " +
      "(city: string, caller: ToolContext) => wrapped(city, caller).",
  );
}

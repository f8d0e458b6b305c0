import { contextMembers } from "./context-members.ts";
import type { SchemaNotFoundError } from "../../errors.ts";
import { createReport, signatureError } from "./diagnostics.ts";
import {
  holdsDescribed,
  isDescribed,
  isOfDeclarations,
  parametersOf,
  passedParameters,
  returnsDescribed,
  type Described,
} from "./described-parameters.ts";
import type { FunctionNode } from "./function-nodes.ts";
import type { CallExpression, Expression, Host, Node, Type } from "./host.ts";
import { passedValues, valuesWithin, type PassedValue } from "./passed-values.ts";
import { createdBy, ownerOf } from "./related-types.ts";
import { returnedExpressions } from "./returned-expressions.ts";
import { declaredParameters, isOwnSignature, signatureParameters, type Parameter } from "./signatures.ts";
import { isToolContext } from "./tool-context.ts";
import { has } from "./types/conversion.ts";
import {
  contextPlaces,
  signatureContextPlaces,
  undeclaredContextError,
  type ContextPlace,
} from "./undeclared-contexts.ts";
import { bare } from "./use-sites-expressions.ts";
import {
  describeText,
  followValue,
  returnedByCode,
  type FunctionValue,
  type Value,
  type WrappedValue,
} from "./use-sites-values.ts";

/** How many wrappers around one another are looked into. */
const mostWrappers = 10;

/** What is found of something that a wrapper gets: an error, nothing wrong, or that its arguments are not those described. */
type Finding = SchemaNotFoundError | "unrelated" | undefined;

/**
 * The error for what a wrapper returns, where the names of its parameters are those of a type, and the code that gets the arguments
 * has others, takes a context there, or cannot be seen at all: any function fits a type.
 */
export function refuseUnseenCode(
  host: Host,
  value: WrappedValue,
  name: string,
  replaced: Described["replaced"],
): SchemaNotFoundError | undefined {
  const [signature] = host.callSignatures(value.type);
  if (signature === undefined) return undefined;
  const described = { name, parameters: signatureParameters(host, signature, value.call), replaced };
  return ofWrapper(host, value, described, { depth: 0, isInside: false });
}

/**
 * The same of a function that takes all its arguments as one list, whose names are those of its type: what it was made with gets
 * them, or what only its object knows.
 */
export function refuseListed(
  host: Host,
  value: FunctionValue,
  type: Type | undefined,
  name: string,
  replaced: Described["replaced"],
): SchemaNotFoundError | undefined {
  const { node, bound, creation, typed } = value;
  if (type === undefined || !passesRest(host, node)) return undefined;
  if (!hasCode(node) && isOfDeclarations(host, typed ?? node)) return undefined;
  const [signature] = host.callSignatures(type);
  if (signature === undefined || isOwnSignature(host, node, signature)) return undefined;
  const parameters = signatureParameters(host, signature, creation ?? node);
  const listed = parameters.filter((parameter) => !parameter.isRest && !isOfCode(host, parameter));
  if (listed.length === 0) return undefined;
  const construction = value.member && createdBy(host, value.member.object);
  const passed = creation
    ? passedValues(host, creation)
    : [...(construction?.arguments ?? [])].flatMap((argument) => valuesWithin(host, argument));
  const finding = firstFinding(host, passed, { name, parameters, replaced }, 0);
  return finding === "unrelated"
    ? refuseTypeAlone(host, name, listed.slice(bound), creation ?? node)
    : finding;
}

/** The first error; `"unrelated"` where nothing gets the arguments. */
function firstFinding(
  host: Host,
  values: readonly PassedValue[],
  described: Described,
  depth: number,
): Finding {
  let isRelated = false;
  for (const value of values) {
    const finding = ofPassed(host, value, described, depth);
    if (finding !== "unrelated" && finding !== undefined) return finding;
    isRelated ||= finding === undefined;
  }
  return isRelated ? undefined : "unrelated";
}

interface Where {
  readonly depth: number;
  /** Whether a wrapper stands in another one's code: what it gets by a parameter is what the other one gets. */
  readonly isInside: boolean;
}

function ofWrapper(
  host: Host,
  { call }: WrappedValue,
  described: Described,
  { depth, isInside }: Where,
): SchemaNotFoundError | undefined {
  if (depth > mostWrappers) return undefined;
  const result = followed(host, returnedByCode(host, call));
  if (result.kind === "function" && hasCode(result.node) && !passesRest(host, result.node)) {
    return renamedParameter(
      host,
      described,
      declaredParameters(host, result.node),
      described.parameters,
      result.node,
    );
  }
  const within =
    result.kind === "wrapped"
      ? ofWrapper(host, result, described, { depth: depth + 1, isInside: true })
      : undefined;
  if (within !== undefined) return within;
  const passedOn = passedValues(host, call).filter((each) => !isInside || !isOfParameter(host, each));
  const finding = firstFinding(host, passedOn, described, depth);
  if (finding !== "unrelated") return finding;
  const isSeen =
    isInside ||
    isOfPackage(host, call) ||
    described.parameters.some((parameter) => isOfCode(host, parameter));
  return isSeen ? undefined : refuseTypeAlone(host, described.name, described.parameters, call);
}

/** Whether a parameter is that of a function with code, or of what a package declares. */
function isOfCode(host: Host, { declaration }: Parameter): boolean {
  if (declaration === undefined) return false;
  const isWritten = "body" in declaration.parent && declaration.parent.body !== undefined;
  return isWritten || isOfDeclarations(host, declaration);
}

function isOfPackage(host: Host, call: CallExpression): boolean {
  const [callee] = host.typesAt([call.expression]);
  const [signature] = callee === undefined ? [] : host.callSignatures(callee);
  const declaration = signature && host.signatureDeclaration(signature);
  return declaration !== undefined && isOfDeclarations(host, declaration);
}

/** A function that takes all that it gets as one list gives it to another: the names are not its own. */
function passesRest(host: Host, node: FunctionNode): boolean {
  return declaredParameters(host, node).some(({ isRest, name }) => isRest && name !== undefined);
}

function ofPassed(host: Host, value: PassedValue, described: Described, depth: number): Finding {
  if (value.kind === "function") return ofArgument(host, value.expression, described, depth);
  if (value.kind === "holder") {
    const [type] = host.typesAt([value.expression]);
    if (!holdsDescribed(host, type, described, value.expression)) return "unrelated";
    return refuseTypeAlone(host, described.name, described.parameters, value.expression);
  }
  const { method, literal } = value;
  const running = declaredParameters(host, method);
  if (!running.some((parameter) => isDescribed(host, described, parameter, method))) return "unrelated";
  const expected = host.contextualType(literal);
  const name = "name" in method ? method.name?.getText() : undefined;
  const property = expected && host.properties(expected).find((each) => each.name === name);
  const passed = parametersOf(host, property?.type, method);
  return (
    hiddenPlace(described, contextPlaces(host, method), passed, 0, host) ??
    renamedParameter(host, described, running, passed, method)
  );
}

function ofArgument(host: Host, expression: Expression, described: Described, depth: number): Finding {
  const passed = passedParameters(host, expression);
  const relevant = passed.map((parameter) => isDescribed(host, described, parameter, expression));
  if (!relevant.includes(true)) return ofResult(host, expression, described, depth);
  const value = followed(host, followValue(host, expression));
  if (value.kind === "wrapped") {
    const inner = parametersOf(host, value.type, expression).slice(value.bound);
    const places = host
      .callSignatures(value.type)
      .flatMap((signature) => signatureContextPlaces(host, signature, expression));
    return (
      ofWrapper(host, value, described, { depth: depth + 1, isInside: false }) ??
      hiddenPlace(described, places, passed, value.bound, host) ??
      renamedParameter(host, described, inner, passed, expression)
    );
  }
  if (value.kind !== "function" || isTypeAlone(host, value))
    return refuseTypeAlone(host, described.name, passed, expression);
  const running = declaredParameters(host, value.node).slice(value.bound);
  return (
    described.replaced(value, expression) ??
    hiddenPlace(described, contextPlaces(host, value.node), passed, value.bound, host) ??
    renamedParameter(
      host,
      described,
      running,
      passed.map((parameter, index) => (relevant[index] ? parameter : undefined)),
      value.node,
    )
  );
}

/** A callback that returns what gets the arguments: `lazily(() => fn)`. */
function ofResult(host: Host, expression: Expression, described: Described, depth: number): Finding {
  const [type] = host.typesAt([expression]);
  if (!returnsDescribed(host, type, described, expression)) return "unrelated";
  const value = followed(host, followValue(host, expression));
  const body = value.kind === "function" && "body" in value.node ? value.node.body : undefined;
  const returned = body === undefined || depth > mostWrappers ? [] : returnedExpressions(host, body);
  const values = returned.flatMap((each) => valuesWithin(host, each));
  const finding = firstFinding(host, values, described, depth + 1);
  return finding === "unrelated"
    ? refuseTypeAlone(host, described.name, described.parameters, expression)
    : finding;
}

function followed(host: Host, value: Value): Value {
  return value.kind === "expression" ? followValue(host, value.expression) : value;
}

function isOfParameter(host: Host, value: PassedValue): boolean {
  const { syntax } = host;
  if (value.kind === "method" || !syntax.isExpression(value.expression)) return false;
  const symbol = host.symbolAt(bare(host, value.expression));
  const declaration = symbol && host.declarationOf(symbol);
  return declaration !== undefined && syntax.isParameterDeclaration(declaration);
}

/** Whether a type is all that is known of a function which the program makes somewhere: not a method, nor what is declared for a package. */
function isTypeAlone(host: Host, value: FunctionValue): boolean {
  const { node, typed } = value;
  if (hasCode(node) || typed === undefined || isOfDeclarations(host, typed)) return false;
  return host.syntax.isParameterDeclaration(typed) || ownerOf(host, value) === undefined;
}

/** The error for a function, not of a wrapper, of which only a type is known. */
export function refuseUnseenFunction(
  host: Host,
  value: FunctionValue,
  name: string,
): SchemaNotFoundError | undefined {
  if (!isTypeAlone(host, value)) return undefined;
  const parameters =
    value.type === undefined
      ? declaredParameters(host, value.node)
      : parametersOf(host, value.type, value.node);
  return refuseTypeAlone(host, name, parameters.slice(value.bound), value.node);
}

/** The error for a function of which only a type is known, if that leaves more than one thing that an argument may be. */
export function refuseTypeAlone(
  host: Host,
  name: string,
  parameters: readonly Parameter[],
  place: Node,
): SchemaNotFoundError | undefined {
  const visible = parameters.filter(({ type }) => !isToolContext(host, type));
  const hiding = visible.filter(({ type }) => mayHideContext(host, type));
  if (visible.length < 2 && hiding.length === 0) return undefined;
  const report = createReport();
  for (const { name: parameter = "", type, declaration } of hiding) {
    if (!has(type, host.flags.Any)) continue;
    report.problem(
      parameter,
      declaration ?? place,
      "its type is any, which may hide a ToolContext: write it, or unknown",
    );
  }
  if (report.problems.length === 0) {
    const message = "which function runs cannot be seen, and another may name its parameters otherwise";
    report.problem("", place, message);
  }
  return signatureError(name || describeText(place), report.problems, {
    summary: "is known by a type alone",
    remedy: remedyFor(parameters),
  });
}

function remedyFor(parameters: readonly Parameter[]): string {
  const names = parameters.map(({ name = "value" }) => name).join(", ");
  const typed = parameters.map(({ name = "value" }) => `${name}: string`).join(", ");
  return `Pass the function itself, or write one of your own that calls it, with types: (${typed}) => fn(${names}).`;
}

const memberNames: ReadonlySet<string> = new Set(contextMembers);

/** Whether a function that takes a `ToolContext` may have got this type for it: methods are compared both ways. */
function mayHideContext(host: Host, type: Type): boolean {
  const { Any, Unknown, NonPrimitive, Object: isObject } = host.flags;
  if ((type.flags & (Any | Unknown | NonPrimitive)) !== 0) return true;
  const members = [...host.unionMembers(type), ...host.intersectionMembers(type)];
  if (members.length > 0) return members.some((member) => mayHideContext(host, member));
  if ((type.flags & isObject) === 0 || host.isCallable(type)) return false;
  if (host.arrayElement(type) !== undefined || host.tupleElements(type) !== undefined) return false;
  return host.properties(type).every(({ name }) => memberNames.has(name));
}

/** A context that the code takes where the type by which it is passed on has an argument. */
function hiddenPlace(
  { name }: Described,
  places: readonly ContextPlace[],
  passed: readonly Parameter[],
  bound: number,
  host: Host,
): SchemaNotFoundError | undefined {
  const hidden = places.find(({ index, isRest }) => {
    const at = Math.max(index - bound, 0);
    if (index < bound && !isRest) return false;
    const reached = isRest ? passed.slice(at) : passed.slice(at, at + 1);
    return reached.some(({ type }) => !isToolContext(host, type));
  });
  return hidden && undeclaredContextError(name, hidden);
}

/** A name of the code that is not the one which the type has at its place. */
function renamedParameter(
  host: Host,
  { name }: Described,
  running: readonly Parameter[],
  passed: readonly (Parameter | undefined)[],
  place: Node,
): SchemaNotFoundError | undefined {
  for (const [index, parameter] of running.entries()) {
    const other = passed[index];
    if (parameter.isRest || other === undefined || other.isRest) continue;
    if (isToolContext(host, parameter.type) || isSameName(parameter, other)) continue;
    const report = createReport();
    const message = `the type by which the function is passed on calls it "${other.name ?? ""}"`;
    report.problem(parameter.name ?? "", parameter.declaration ?? place, message);
    return signatureError(name, report.problems, {
      summary: "has other names in its code than in its type",
      remedy:
        "Give both the same names, or write a function of your own that calls it, with types: " +
        `(${other.name ?? "value"}: string) => fn(${other.name ?? "value"}).`,
    });
  }
  return undefined;
}

/** What is taken apart has no name, as have places of tuples without names; an underscore says that a parameter is not used. */
function isSameName(one: Parameter, other: Parameter): boolean {
  const isPlace = other.declaration === undefined && /\d$/.test(other.name ?? "0");
  if (one.name === undefined || other.name === undefined || isPlace) return true;
  return one.name.replace(/^_+/, "") === other.name.replace(/^_+/, "") || /^_+$/.test(one.name);
}

function hasCode(node: FunctionNode): boolean {
  return "body" in node && node.body !== undefined;
}

import { functionOfSignature, runtimeName, type FunctionNode } from "./function-nodes.ts";
import { isGenericPlace } from "./generic-places.ts";
import type { CallExpression, Expression, Host, Node, ObjectLiteralExpression, Signature } from "./host.ts";
import { declaredParameters, declaresSignature, namesParameters, type Parameter } from "./signatures.ts";
import { bare } from "./use-sites-expressions.ts";
import { followValue, returnedByCode, type FunctionValue, type WrappedValue } from "./use-sites-values.ts";

/** A function whose parameters may be those of an expression. */
export interface Candidate {
  readonly node: FunctionNode;
  readonly name: string;
}

/** A function that a wrapper gets. */
interface WrappedFunction extends Candidate {
  /** Whether the wrapper takes one of any type: it gets what the result takes. A logger, a check have a type of their own. */
  readonly isGeneric: boolean;
}

/** The functions that declare an expression's parameters, under its names: the one that runs first, then what it was made of. */
export function declaringFunctions(
  host: Host,
  value: FunctionValue | WrappedValue,
  signature: Signature,
  parameters: readonly Parameter[],
): readonly Candidate[] {
  const declaring = functionOfSignature(host, signature);
  const declared = declaring ? [{ node: declaring, name: runtimeName(host, declaring) ?? "" }] : [];
  const declares = ({ node }: Candidate): boolean => declaresSignature(host, node, parameters);
  if (value.kind === "function") return [value, ...declared].filter(declares);
  const inner = returnedByCode(host, value.call);
  const running = inner.kind === "function" && inner.bound === 0 ? [inner] : [];
  const source = wrappedSource(host, value, parameters);
  const isSource = source !== undefined && namesParameters(host, source.node, parameters);
  return [...running, ...declared, ...(isSource ? [source] : [])].filter(declares);
}

/**
 * The function whose words speak of an expression: the only one that it is made of, if the expression's parameters are its own, by
 * their names or their types. A callback's words would speak of something else.
 */
export function wrappedSource(
  host: Host,
  value: FunctionValue | WrappedValue,
  parameters: readonly Parameter[],
): Candidate | undefined {
  if (value.kind === "function") return value;
  const all = distinctFunctions(wrappedFunctions(host, value));
  const [only, ...others] = all.length > 1 ? all.filter(({ isGeneric }) => isGeneric) : all;
  if (only === undefined || others.length > 0) return undefined;
  const names = new Set(declaredParameters(host, only.node).map(({ name }) => name));
  const isOfSource = (parameter: Parameter): boolean => names.has(parameter.name) || isPlaceName(parameter);
  // Beside what it takes for the source, a wrapper may take parameters of its own.
  const isPassedOn = (parameter: Parameter): boolean =>
    only.isGeneric &&
    (isFilledIn(parameter) || (parameter.declaration === undefined && names.has(parameter.name)));
  const isNamed = parameters.every(isOfSource) || parameters.some(isPassedOn);
  return isNamed && (parameters.length > 0 || only.isGeneric) ? only : undefined;
}

/**
 * The functions that may take the arguments of a wrapper's result, where there are several, and the type only says what one of them
 * is like.
 * @param chosen - What declares the type, if anything.
 */
export function ambiguousWrapper(
  host: Host,
  value: FunctionValue | WrappedValue,
  parameters: readonly Parameter[],
  chosen: Candidate | undefined,
): readonly string[] | undefined {
  if (value.kind === "function" || (chosen && chosen.node === wrappedSource(host, value, parameters)?.node))
    return undefined;
  const takers = distinctFunctions(wrappedFunctions(host, value)).filter(({ node }) =>
    declaresSignature(host, node, parameters),
  );
  const isOneOfThem = takers.some(({ node }) => node === chosen?.node);
  const isInferred = chosen === undefined && parameters.some(({ declaration }) => declaration === undefined);
  if (!isOneOfThem && !isInferred) return undefined;
  const possible = isOneOfThem ? takers : takers.filter(({ isGeneric }) => isGeneric);
  const isCertain = !isOneOfThem && possible.every(({ node }) => namesParameters(host, node, parameters));
  return possible.length < 2 || isCertain ? undefined : possible.map(({ name }) => name || "a function");
}

function distinctFunctions(functions: readonly WrappedFunction[]): readonly WrappedFunction[] {
  return [...new Map(functions.map((each) => [each.node, each])).values()];
}

function wrappedFunctions(host: Host, { call, functions }: WrappedValue): readonly WrappedFunction[] {
  return functions.flatMap((expression): readonly WrappedFunction[] => {
    const value = followValue(host, expression);
    const isGeneric = isGenericPlace(host, call, call.arguments.indexOf(expression));
    if (value.kind === "wrapped") {
      return wrappedFunctions(host, value).map((each) => ({
        ...each,
        isGeneric: isGeneric && each.isGeneric,
      }));
    }
    const { kind } = value;
    return kind === "function" && value.bound === 0
      ? [{ node: value.node, name: value.name, isGeneric }]
      : [];
  });
}

/** What a call gets that may run with the arguments of its result. */
export type PassedValue =
  | { readonly kind: "function"; readonly expression: Expression }
  /** A method of an object literal, whose code stands there. */
  | { readonly kind: "method"; readonly method: FunctionNode; readonly literal: ObjectLiteralExpression }
  /** What may hold functions, and is not written out. */
  | { readonly kind: "holder"; readonly expression: Node };

/** What a call gets whose result passes its arguments on: where it takes functions of any type, those alone. */
export function passedValues(host: Host, call: CallExpression): readonly PassedValue[] {
  const candidates = [...call.arguments].flatMap((argument, place) => {
    const isGeneric = isGenericPlace(host, call, place);
    return valuesWithin(host, argument).map((value) => ({ value, isGeneric }));
  });
  const generic = candidates.filter(({ isGeneric }) => isGeneric);
  const isTaken = generic.some(({ value }) => value.kind !== "holder");
  return (isTaken ? generic : candidates).map(({ value }) => value);
}

/** How deep literals are looked into. */
const deepest = 10;

/** The functions within an expression, as far as objects and lists are written out. */
export function valuesWithin(
  host: Host,
  expression: Expression,
  depth: number = deepest,
): readonly PassedValue[] {
  const { syntax } = host;
  const [type] = host.typesAt([expression]);
  const present = type && (host.withoutAbsence(type) ?? type);
  if (present !== undefined && !(present.flags & host.flags.Any) && host.callSignatures(present).length > 0)
    return [{ kind: "function", expression }];
  const node = bare(host, expression);
  const holder: PassedValue = { kind: "holder", expression };
  if (depth === 0) return [holder];
  if (syntax.isArrayLiteralExpression(node)) {
    return [...node.elements].flatMap((element) => valuesWithin(host, element, depth - 1));
  }
  if (syntax.isSpreadElement(node)) return [{ kind: "holder", expression: node.expression }];
  if (!syntax.isObjectLiteralExpression(node)) return [holder];
  return [...node.properties].flatMap((property): readonly PassedValue[] => {
    if (syntax.isPropertyAssignment(property)) return valuesWithin(host, property.initializer, depth - 1);
    if (syntax.isMethodDeclaration(property)) return [{ kind: "method", method: property, literal: node }];
    if (syntax.isSpreadAssignment(property)) return [{ kind: "holder", expression: property.expression }];
    const isName = syntax.isShorthandPropertyAssignment(property) && syntax.isIdentifier(property.name);
    return isName ? valuesWithin(host, property.name, depth - 1) : [{ kind: "holder", expression: property }];
  });
}

/** Whether a parameter has the type that was written for a type parameter. */
function isFilledIn({ declaration, typeNode }: Parameter): boolean {
  return declaration?.type !== undefined && typeNode === undefined;
}

/** Whether only the place of a parameter has a name: that of a tuple without names, or of what is destructured. */
function isPlaceName({ name, declaration }: Parameter): boolean {
  return name === undefined || (declaration === undefined && /\d$/.test(name));
}

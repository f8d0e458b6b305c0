import type { SchemaNotFoundError } from "../../errors.ts";
import { isRestOfAny } from "./callers.ts";
import type { Expression, Host, Node, Type } from "./host.ts";
import { signatureParameters, type Parameter } from "./signatures.ts";
import { has } from "./types/conversion.ts";
import { withTypes } from "./use-sites-expressions.ts";
import type { FunctionValue } from "./use-sites-values.ts";

/** What the description of an expression says of its parameters, which the code that runs must bear out. */
export interface Described {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  /** The error for a method, reached by an expression, in whose place another may run. */
  readonly replaced: (value: FunctionValue, expression: Expression) => SchemaNotFoundError | undefined;
}

/** The parameters of the first signature of a type; none if it takes anything at all. */
export function parametersOf(host: Host, type: Type | undefined, place: Node): readonly Parameter[] {
  const present = type && (host.withoutAbsence(type) ?? type);
  const [signature] = present === undefined ? [] : host.callSignatures(present);
  const parameters = signature === undefined ? [] : signatureParameters(host, signature, place);
  return parameters.some((parameter) => isRestOfAny(host, parameter)) ? [] : parameters;
}

/** The parameters by which a function is passed on: those of the type that is expected there, or its own where any fit. */
export function passedParameters(host: Host, expression: Expression): readonly Parameter[] {
  const whole = withTypes(host, expression);
  const expected = parametersOf(host, host.contextualType(whole), expression);
  const isOpen = expected.some(({ type, isRest }) => isRest && has(type, host.flags.TypeParameter));
  if (expected.length > 0 && !isOpen) return expected;
  const [own] = host.typesAt([whole]);
  return parametersOf(host, own, expression);
}

/**
 * Whether a parameter of a function that a wrapper gets is one of those that are described. Where only a package knows what it does
 * with the function, equal names say nothing: `flip` calls its own `a` and `b`.
 */
export function isDescribed(host: Host, { parameters }: Described, passed: Parameter, place: Node): boolean {
  const isReadable = !isOfDeclarations(host, passed.declaration ?? place);
  return parameters.some(
    ({ name, declaration }) =>
      name === passed.name &&
      (declaration === passed.declaration ||
        declaration === undefined ||
        passed.declaration === undefined ||
        isReadable),
  );
}

/** Whether something stands where only declarations are: their code is elsewhere. */
export function isOfDeclarations(host: Host, node: Node): boolean {
  const { syntax } = host;
  if (node.getSourceFile().isDeclarationFile) return true;
  for (let at = node; at !== undefined && !syntax.isSourceFile(at); at = at.parent) {
    if (/^(?:export\s+)?declare\b/.test(at.getText())) return true;
  }
  return false;
}

/** How deep functions are looked for in a type. */
const deepest = 3;

/** How many members of one type are looked at. */
const mostMembers = 100;

/** Whether values of a type are, return, or hold a function that has all the parameters which are described. */
export function holdsDescribed(
  host: Host,
  type: Type | undefined,
  described: Described,
  place: Node,
  depth: number = deepest,
): boolean {
  const present = type && (host.withoutAbsence(type) ?? type);
  if (present === undefined || (present.flags & host.flags.Any) !== 0) return false;
  const holds = (part: Type | undefined): boolean =>
    depth > 0 && holdsDescribed(host, part, described, place, depth - 1);
  const members = [...host.unionMembers(present), ...host.intersectionMembers(present)];
  if (members.length > 0) return members.some(holds);
  if (host.callSignatures(present).length > 0) {
    return (
      hasAll(described, parametersOf(host, present, place)) ||
      returnsDescribed(host, present, described, place, depth)
    );
  }
  if ((present.flags & host.flags.Object) === 0) return false;
  const inner = host.typeArguments(present);
  if (inner.some(holds)) return true;
  if (inner.length > 0 && host.arrayElement(present) !== undefined) return false;
  if (host.indexSignatures(present).some(({ value }) => holds(value))) return true;
  const symbol = present.getSymbol();
  if (symbol !== undefined && host.isFromLibrary(symbol)) return false;
  return host
    .properties(present)
    .slice(0, mostMembers)
    .some((property) => holds(property.type));
}

/** The same of what functions of a type return. */
export function returnsDescribed(
  host: Host,
  type: Type | undefined,
  described: Described,
  place: Node,
  depth: number = deepest,
): boolean {
  const present = type && (host.withoutAbsence(type) ?? type);
  const signatures = present === undefined ? [] : host.callSignatures(present);
  return (
    depth > 0 &&
    signatures.some((signature) =>
      holdsDescribed(host, host.returnType(signature), described, place, depth - 1),
    )
  );
}

function hasAll({ parameters }: Described, own: readonly Parameter[]): boolean {
  const names = new Set(own.map(({ name }) => name));
  return parameters.length > 0 && parameters.every(({ name }) => names.has(name));
}

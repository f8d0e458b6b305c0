import type { FunctionNode } from "./function-nodes.ts";
import { isGenericPlace } from "./generic-places.ts";
import type { CallExpression, Expression, Host, Node, ObjectLiteralExpression } from "./host.ts";
import { bare } from "./use-sites-expressions.ts";

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

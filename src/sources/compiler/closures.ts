import type { SchemaNotFoundError } from "../../errors.ts";
import { createReport, signatureError } from "./diagnostics.ts";
import type { FunctionNode } from "./function-nodes.ts";
import type { Host, Node, ParameterDeclaration, Type } from "./host.ts";
import { has } from "./types/conversion.ts";

/**
 * The error for a function that another one makes, and whose text does not say what the tool takes: its types are those of
 * each call of the other one. `undefined` for a function whose own text says it.
 */
export function refuseClosure(host: Host, node: FunctionNode, name: string): SchemaNotFoundError | undefined {
  const around = enclosingFunction(host, node);
  if (around === undefined || ("typeParameters" in node && node.typeParameters !== undefined))
    return undefined;
  const parameters = [...node.parameters];
  const types = host.typesAt(parameters);
  const open = parameters.filter((parameter, index) => isOpen(host, parameter, types[index], node));
  if (open.length === 0) return undefined;
  const report = createReport();
  for (const parameter of open) {
    const message = "its type is known only where the function around it is called";
    report.problem(parameter.name.getText(), parameter, message, "untyped");
  }
  const remedy =
    "Write the type where you pass it: const wrapped: (city: string) => string = wrap(fn), and tools: [wrapped].";
  return signatureError(name, report.problems, { remedy });
}

/** The function or class that a function is made in. */
function enclosingFunction({ syntax }: Host, node: Node): Node | undefined {
  for (let at: Node | undefined = node.parent; at !== undefined; at = at.parent) {
    if (syntax.isFunctionLikeDeclaration(at) || syntax.isClassLikeDeclaration(at)) return at;
  }
  return undefined;
}

function isOpen(
  host: Host,
  { type: typeNode, dotDotDotToken }: ParameterDeclaration,
  type: Type | undefined,
  node: FunctionNode,
): boolean {
  if (type === undefined) return false;
  const { Any, Unknown, Never, Instantiable } = host.flags;
  if (typeNode ? namesOuterType(host, typeNode, node) : has(type, Instantiable)) return true;
  // Whatever it is passed, a wrapper passes on.
  const element = dotDotDotToken && (host.arrayElement(type) ?? type);
  return element !== undefined && has(element, Any | Unknown | Never) && isMadeByFunction(host, node);
}

function isMadeByFunction(host: Host, node: Node): boolean {
  const around = enclosingFunction(host, node);
  return around !== undefined && host.syntax.isFunctionLikeDeclaration(around);
}

/** Whether a type names a type parameter of a function around, or one of a class around about which nothing is written. */
function namesOuterType(host: Host, typeNode: Node, node: FunctionNode): boolean {
  const { syntax } = host;
  const names: Node[] = [];
  function visit(at: Node): void {
    if (syntax.isTypeReferenceNode(at) && syntax.isIdentifier(at.typeName)) names.push(at.typeName);
    at.forEachChild(visit);
  }
  visit(typeNode);
  return names.some((name) => {
    const symbol = host.symbolAt(name);
    const declaration = symbol && host.declarationOf(symbol);
    if (declaration === undefined || !syntax.isTypeParameterDeclaration(declaration)) return false;
    const isOuter = declaration.pos < node.pos || declaration.pos >= node.end;
    const isLimited =
      declaration.constraint !== undefined && syntax.isClassLikeDeclaration(declaration.parent);
    return isOuter && !isLimited;
  });
}

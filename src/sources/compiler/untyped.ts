import { isJavaScript } from "./diagnostics.ts";
import { unreadComments } from "./function-docs.ts";
import type { FunctionNode } from "./function-nodes.ts";
import type { Expression, Host, Node, ParameterDeclaration, Type, TypeParameterDeclaration } from "./host.ts";
import { isAnyArgument } from "./tool-context.ts";
import { has } from "./types/conversion.ts";

/** A parameter, or a part of a destructured one, about which nothing is known. */
export interface UntypedPart {
  readonly path: string;
  readonly node: Node;
  readonly message: string;
}

const noType = "it has no type";
const unreadComment =
  "it has no type, since TypeScript does not read a comment that starts on the line of other code: start it on a line of its own";

/**
 * The parts of a parameter whose type is written nowhere: neither beside it, nor in JSDoc, nor in the type that is expected
 * where the function stands. A default says it in TypeScript; in JavaScript it may be all that a compiler has left of a type.
 */
export function untypedParts(
  host: Host,
  fn: FunctionNode,
  parameter: ParameterDeclaration,
  type: Type,
): readonly UntypedPart[] {
  if (parameter.type !== undefined) return typeParametersFromOutside(host, fn, parameter, parameter.type);
  const { syntax } = host;
  const isScript = isJavaScript(fn.getSourceFile().fileName) && !hasTypes(fn);
  const doubtsDefault = isScript && !isTypedByContext(host, fn, parameter);
  const { name } = parameter;
  if (syntax.isIdentifier(name)) {
    const isDoubtful = parameter.initializer !== undefined && doubtsDefault;
    const isUntyped = isDoubtful || (isUnknown(host, type) && !isWrittenAny(host, fn, parameter));
    const message =
      isJavaScript(fn.getSourceFile().fileName) && hasUnreadType(host, fn, name.text)
        ? unreadComment
        : noType;
    return isUntyped ? [{ path: name.text, node: parameter, message }] : [];
  }
  if (syntax.isArrayBindingPattern(name)) {
    return isScript && doubtsDefault ? [{ path: name.getText(), node: parameter, message: noType }] : [];
  }
  return [...name.elements].flatMap((element) => {
    const [elementType] = host.typesAt([element]);
    const isUntyped = doubtsDefault || (elementType !== undefined && isUnknown(host, elementType));
    return isUntyped && !isWrittenAny(host, fn, parameter)
      ? [{ path: (element.propertyName ?? element.name)?.getText() ?? "", node: element, message: noType }]
      : [];
  });
}

/** Whether a comment that TypeScript does not read says the type of a parameter. */
function hasUnreadType(host: Host, fn: FunctionNode, name: string): boolean {
  const word = `${name.replaceAll("$", "\\$")}(?![\\w$])`;
  const parameter = new RegExp(`@(?:(?:param|arg|argument)\\s*\\{[^]*\\}\\s*\\[?\\s*${word}|type\\s*\\{)`);
  return unreadComments(host, fn).some((comment) => parameter.test(comment));
}

/** Whether JavaScript's `arguments` are read: parameters that no signature has. */
export function readsArguments({ syntax }: Host, fn: FunctionNode): boolean {
  if (!isJavaScript(fn.getSourceFile().fileName) || !("body" in fn) || syntax.isArrowFunction(fn))
    return false;
  let isRead = false;
  function visit(node: Node): void {
    if (syntax.isFunctionLikeDeclaration(node) && !syntax.isArrowFunction(node)) return;
    if (syntax.isIdentifier(node) && node.text === "arguments") isRead = true;
    if (!isRead) node.forEachChild(visit);
  }
  fn.body?.forEachChild(visit);
  return isRead;
}

/** Whether a function is JavaScript in whose signature no type is written, nor in the type of what holds it. */
export function lacksTypes(host: Host, fn: FunctionNode): boolean {
  if (!isJavaScript(fn.getSourceFile().fileName) || hasTypes(fn)) return false;
  const expected = isFunctionExpression(host, fn) ? host.contextualType(fn) : undefined;
  return expected === undefined || host.callSignatures(expected).length === 0;
}

/** A type parameter in `typeNode` that is declared outside of `scope`: what it stands for is not known there. */
export function outsideTypeParameter(
  host: Host,
  typeNode: Node,
  scope: Node,
  isWanted: (declaration: TypeParameterDeclaration) => boolean = () => true,
): string | undefined {
  const { syntax } = host;
  const names: Node[] = [];
  function visit(node: Node): void {
    if (syntax.isTypeReferenceNode(node) && syntax.isIdentifier(node.typeName)) names.push(node.typeName);
    node.forEachChild(visit);
  }
  visit(typeNode);
  const isOutside = (node: Node): boolean =>
    node.getSourceFile() !== scope.getSourceFile() || node.end <= scope.pos || node.pos >= scope.end;
  const match = names.find((name) => {
    const symbol = host.symbolAt(name);
    const declaration = symbol && host.declarationOf(symbol);
    if (declaration === undefined || !syntax.isTypeParameterDeclaration(declaration)) return false;
    return isOutside(declaration) && isWanted(declaration);
  });
  return match?.getText();
}

/** Whether what a type parameter extends says nothing of its values: `unknown`, or any function at all. */
function extendsAnything({ syntax }: Host, { constraint }: TypeParameterDeclaration): boolean {
  const { AnyKeyword, UnknownKeyword, NeverKeyword, FunctionType } = syntax.SyntaxKind;
  const empty: ReadonlySet<number> = new Set([AnyKeyword, UnknownKeyword, NeverKeyword, FunctionType]);
  let isEmpty = constraint === undefined;
  function visit(node: Node): void {
    isEmpty ||= empty.has(node.kind);
    if (!isEmpty) node.forEachChild(visit);
  }
  if (constraint !== undefined) visit(constraint);
  return isEmpty;
}

function typeParametersFromOutside(
  host: Host,
  fn: FunctionNode,
  parameter: ParameterDeclaration,
  typeNode: Node,
): readonly UntypedPart[] {
  const name = outsideTypeParameter(host, typeNode, fn, (declaration) => extendsAnything(host, declaration));
  if (name === undefined) return [];
  return [
    {
      path: parameter.name.getText(),
      node: parameter,
      message: `its type depends on "${name}", which is known only where the code around the function is used`,
    },
  ];
}

/** Whether anything of a function's signature is typed: then its defaults are what their author meant. */
function hasTypes(fn: FunctionNode): boolean {
  return fn.type !== undefined || [...fn.parameters].some(({ type }) => type !== undefined);
}

/** Nothing is known of a value: `any` that nobody wrote, and what Skein's own types expect of any function. */
function isUnknown(host: Host, type: Type): boolean {
  if (isUnknownValue(host, type)) return true;
  const element = host.arrayElement(type);
  return element !== undefined && isUnknownValue(host, element);
}

function isUnknownValue(host: Host, type: Type): boolean {
  return has(type, host.flags.Any) || isAnyArgument(host, type);
}

/** Whether the type that is expected of the function says what the parameter is. */
function isTypedByContext(host: Host, fn: FunctionNode, parameter: ParameterDeclaration): boolean {
  const expected = expectedParameter(host, fn, parameter);
  return expected !== undefined && !isUnknownValue(host, expected.type);
}

/** Whether somebody wrote `any` for the parameter, in the type that is expected of the function. */
function isWrittenAny(host: Host, fn: FunctionNode, parameter: ParameterDeclaration): boolean {
  const { AnyKeyword, UnknownKeyword } = host.syntax.SyntaxKind;
  const typeNode = expectedParameter(host, fn, parameter)?.declaration?.type;
  return typeNode?.kind === AnyKeyword || typeNode?.kind === UnknownKeyword;
}

function expectedParameter(host: Host, fn: FunctionNode, parameter: ParameterDeclaration) {
  const type = isFunctionExpression(host, fn) ? host.contextualType(fn) : undefined;
  const signature = type && host.callSignature(type);
  const expected = signature && host.signatureParameters(signature)[[...fn.parameters].indexOf(parameter)];
  return expected?.isRest === true ? undefined : expected;
}

function isFunctionExpression({ syntax }: Host, fn: FunctionNode): fn is FunctionNode & Expression {
  return syntax.isArrowFunction(fn) || syntax.isFunctionExpression(fn);
}

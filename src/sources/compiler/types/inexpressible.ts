import { isJavaScript } from "../diagnostics.ts";
import type { Host, Type, TypeProperty, TypeSymbol } from "../host.ts";
import { isOfPackage, unresolvedMessage } from "../unresolved.ts";
import { has, type Conversion, type TypePlace } from "./conversion.ts";

/** What a library's type can be replaced by. */
const instead: Readonly<Record<string, string>> = {
  Buffer: "take a Uint8Array",
  ArrayBuffer: "take a Uint8Array",
  Blob: "take a Uint8Array",
  RegExp: "take a string",
  Promise: "take the value itself",
  Iterable: "take an array",
  WeakMap: "take a Map",
  WeakSet: "take a Set",
};

/** Why a name may not be that of an argument or a property. */
export const protoProblem = 'what is named "__proto__" is dropped from every call: rename it';

/** Whether no value has a type: `{ kind: "a" } & { kind: "b" }` has no properties either, as the checker tells it. */
export function isNever(host: Host, type: Type): boolean {
  if (has(type, host.flags.Never)) return true;
  const members = host.intersectionMembers(type);
  return (
    members.length > 1 &&
    host.properties(type).length === 0 &&
    members.some((member) => host.properties(member).length > 0)
  );
}

/** Why JSON cannot carry values of `type`; `undefined` for an object type that can be looked into. */
export function inexpressible(conversion: Conversion, type: Type, place: TypePlace): string | undefined {
  const { host } = conversion;
  const { flags } = host;
  if (type.isErrorType()) return unresolved(conversion, place);
  if (has(type, flags.Undefined | flags.Void)) return "undefined is not JSON";
  if (isNever(host, type)) return "no value has the type never";
  if (has(type, flags.ESSymbol | flags.UniqueESSymbol)) return "a symbol is not JSON";
  if (has(type, flags.Enum | flags.EnumLiteral)) return `the enum ${host.typeText(type)} has computed values`;
  const isFunction = host.intersectionMembers(type).some((member) => host.isCallable(member));
  if (isFunction) return "a function is not JSON";
  return has(type, flags.Object) ? inexpressibleObject(conversion, type, place) : undefined;
}

function inexpressibleObject(
  { host, direction }: Conversion,
  type: Type,
  place: TypePlace,
): string | undefined {
  const symbol = type.getSymbol();
  if (symbol !== undefined && !host.isAnonymous(symbol) && host.isFromLibrary(symbol)) {
    // A shape, such as Intl.NumberFormatOptions, is described like any other.
    if (!host.isValue(symbol) && !isBehaviour(host, type)) return undefined;
    if (direction === "output" && symbol.name.endsWith("Error")) return undefined;
    const remedy = Object.hasOwn(instead, symbol.name) ? instead[symbol.name] : undefined;
    const fix = symbol.name === "Object" ? objectRemedy(place) : remedy;
    return `a value of type ${host.typeText(type)} is not JSON${fix === undefined ? "" : `: ${fix}`}`;
  }
  if (host.isCallable(type)) return "a function is not JSON";
  const mapped = direction === "input" ? mappedClass(host, type) : undefined;
  if (mapped !== undefined) {
    return `an object of the methods of ${mapped} is not JSON: take ${mapped} itself`;
  }
  if (symbol === undefined || !host.isClass(symbol) || direction === "output") return undefined;
  return inexpressibleClass(host, type, symbol);
}

/** The library's class whose methods a mapped type has made into objects: `Date` of the usual `DeepPartial<Date>`. */
function mappedClass(host: Host, type: Type): string | undefined {
  if (!host.isMapped(type)) return undefined;
  const { syntax } = host;
  for (const property of host.properties(type)) {
    const symbol = property.symbol();
    if (symbol === undefined || !host.isFromLibrary(symbol) || host.isCallable(property.type)) continue;
    const declaration = host.declarationOf(symbol);
    if (declaration === undefined || !syntax.isMethodSignatureDeclaration(declaration)) continue;
    if (syntax.isInterfaceDeclaration(declaration.parent)) return declaration.parent.name.text;
  }
  return undefined;
}

/** In JSDoc, `{Object}` is what people write above the `@param` of each property. */
function objectRemedy({ path, node }: TypePlace): string {
  if (!isJavaScript(node.getSourceFile().fileName)) return "write object, or Record<string, unknown>";
  const property = `${/^[\w$.]+$/.test(path) ? path : "name"}.property`;
  return `write its properties, @param {string} ${property}, or {object} or {Record<string, unknown>} for any`;
}

/** Whether a library's interface is there to be called, like `PromiseLike`. */
function isBehaviour(host: Host, type: Type): boolean {
  return (
    host.isCallable(type) ||
    host.properties(type).some(({ name }) => name.startsWith("__@") || name === "then")
  );
}

/** A class without methods and private state is data. What else there is on an instance, an object made from JSON has not. */
function inexpressibleClass(host: Host, type: Type, symbol: TypeSymbol): string | undefined {
  const missing = host
    .properties(type)
    .find(
      (property) =>
        property.name.startsWith("__#") ||
        isHidden(host, property) ||
        (property.isOnPrototype && !property.optional && host.isCallable(property.type)),
    );
  if (missing === undefined) return undefined;
  const name = missing.name.replace(/^__#\d+@/, "");
  return `an instance of the class ${symbol.name} cannot be made from JSON, which has no "${name}": take a plain object type`;
}

/** Whether a property is private or protected: no object that is made from JSON may have it. */
export function isHidden(host: Host, property: TypeProperty): boolean {
  const { PrivateKeyword, ProtectedKeyword } = host.syntax.SyntaxKind;
  const declaration = property.declaration();
  const modifiers =
    declaration !== undefined && "modifiers" in declaration ? declaration.modifiers : undefined;
  return (
    Array.isArray(modifiers) &&
    modifiers.some(({ kind }: { kind: number }) => kind === PrivateKeyword || kind === ProtectedKeyword)
  );
}

function unresolved(conversion: Conversion, place: TypePlace): string {
  const { typeNode } = place;
  if (typeNode === undefined) return "the type cannot be resolved";
  const message = unresolvedMessage(typeNode.getText(), typeNode.getSourceFile().fileName);
  // Of the program's own types nothing is left out that may have been a context.
  if (conversion.direction === "input" && !isOfPackage(typeNode)) conversion.refuse(place, message);
  return message;
}

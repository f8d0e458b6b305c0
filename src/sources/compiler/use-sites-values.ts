import { functionOfSignature, runtimeName, type FunctionNode } from "./function-nodes.ts";
import type { CallExpression, Expression, Host, Node, Type, TypeSymbol } from "./host.ts";
import {
  asMember,
  asReplaceable,
  type FunctionValue,
  type ObjectMember,
  type Value,
  type WrappedValue,
} from "./followed-values.ts";
import { libraryMethod } from "./library-methods.ts";
import { mayMoveContext } from "./package-wrappers.ts";
import { elementsOf } from "./use-sites-expectations.ts";
import { bare, prefetchSymbols } from "./use-sites-expressions.ts";
import { isDeferred, returnedExpressions } from "./returned-expressions.ts";
import { isAmbient, isAssigned, isChanged, isConstant } from "./variables.ts";

export { asMember } from "./followed-values.ts";
export type { FunctionValue, Value, WrappedValue } from "./followed-values.ts";

/** How many names and calls are followed from one value. */
const mostSteps = 30;

/**
 * Follows an expression to the value it stands for, through constants, imports, calls of functions that return one thing,
 * and `bind`. By the text, not by types: two functions of one type are two tools. Types are believed where there is
 * nothing else, in declarations, and for what a call makes of functions.
 */
export function followValue(host: Host, start: Expression, isReplaceable = false): Value {
  let value = follow(host, start);
  let mayChange = isReplaceable;
  let reached: ObjectMember | undefined;
  let creation: CallExpression | undefined;
  for (let steps = 0; value.kind === "expression"; steps += 1) {
    if (steps === mostSteps) return unseen("it is too many steps away");
    const { expression, replaceable = false, member: from } = value;
    mayChange ||= replaceable;
    reached = from ?? reached;
    creation = value.creation ?? creation;
    value = follow(host, expression);
    // What has a name can be reached from elsewhere.
    if (value.kind === "list" || value.kind === "record") mayChange = true;
  }
  const inner =
    value.kind === "function" && creation !== undefined
      ? { ...value, creation: value.creation ?? creation }
      : value;
  const followed = asMember(inner, reached);
  return mayChange ? asReplaceable(followed) : followed;
}

/** The methods that are written out in an object literal. */
export function methodsOfLiteral(
  host: Host,
  literal: Node & { readonly properties: Iterable<Node> },
): ReadonlyMap<string, Value> {
  const methods = [...literal.properties].filter((property) => host.syntax.isMethodDeclaration(property));
  const value = recordOf(host, methods);
  return value.kind === "record" ? value.entries : new Map();
}

/** The functions among the members of an object's type, inherited ones included, by name. */
export function methodsOf(host: Host, type: Type): ReadonlyMap<string, Value> {
  const methods = host.properties(type).flatMap((property) => {
    const symbol = host.isCallable(property.type) ? property.symbol() : undefined;
    if (symbol === undefined || host.isFromLibrary(symbol) || isAccessor(host, symbol)) return [];
    const value = isParameterProperty(host, symbol)
      ? valueOfType(host, property.type, host.declarationOf(symbol))
      : valueOfSymbol(host, symbol);
    return [[property.name, reachedBy(asReplaceable(value), property.type)] as const];
  });
  return new Map(methods);
}

/** `constructor(public open: (door: string) => string)`: the type of the property is all that is known. */
function isParameterProperty(host: Host, symbol: TypeSymbol): boolean {
  const declaration = host.declarationOf(symbol);
  return declaration !== undefined && host.syntax.isParameterDeclaration(declaration);
}

function isAccessor(host: Host, symbol: TypeSymbol): boolean {
  const declaration = host.declarationOf(symbol);
  return declaration !== undefined && host.syntax.isGetAccessorDeclaration(declaration);
}

function unseen(reason: string): Value {
  return { kind: "unseen", reason };
}

/** A function of an instance of a generic class, or of a property with a type, says less of itself than that type does. */
export function reachedBy(value: Value, type: Type | undefined): Value {
  if (type === undefined) return value;
  return value.kind === "function" || value.kind === "expression" ? { ...value, type } : value;
}

function functionValue(host: Host, node: FunctionNode): FunctionValue {
  // A type of a function has no name: the function itself has, when the program runs.
  const name = host.syntax.isFunctionTypeNode(node) ? "" : (runtimeName(host, node) ?? "");
  return { kind: "function", node, name, bound: 0 };
}

function follow(host: Host, expression: Expression): Value {
  const { syntax } = host;
  const node = bare(host, expression);
  if (syntax.isArrowFunction(node) || syntax.isFunctionExpression(node)) return functionValue(host, node);
  if (syntax.isArrayLiteralExpression(node)) return listOf(host, [...node.elements]);
  if (syntax.isObjectLiteralExpression(node)) return recordOf(host, [...node.properties]);
  if (syntax.isCallExpression(node)) return returned(host, node);
  if (syntax.isPropertyAccessExpression(node)) return member(host, node.expression, node.name);
  if (syntax.isElementAccessExpression(node)) {
    const key = node.argumentExpression;
    if (syntax.isStringLiteral(key)) return member(host, node.expression, key);
    return unseen("which element it is, is decided when the program runs");
  }
  if (syntax.isIdentifier(node)) {
    const symbol = host.symbolAt(node);
    return symbol ? valueOfSymbol(host, symbol) : unseen(`${node.text} is not declared`);
  }
  return unseen("it is decided when the program runs");
}

function listOf(host: Host, elements: readonly Expression[]): Value {
  prefetchSymbols(host, elements);
  const items: Value[] = [];
  for (const element of elements) {
    if (!host.syntax.isSpreadElement(element)) {
      items.push({ kind: "expression", expression: element });
      continue;
    }
    const spread = followValue(host, element.expression);
    if (spread.kind !== "list") return unseen(`how long ${describeText(element)} is, is not known`);
    items.push(...spread.items);
  }
  return { kind: "list", items };
}

function recordOf(host: Host, properties: readonly Node[]): Value {
  const { syntax } = host;
  const entries = new Map<string, Value>();
  for (const property of properties) {
    if (syntax.isSpreadAssignment(property)) {
      const spread = followValue(host, property.expression);
      if (spread.kind !== "record") return unseen(`what ${describeText(property)} holds is not known`);
      for (const [name, value] of spread.entries) entries.set(name, value);
    } else if (syntax.isPropertyAssignment(property)) {
      const name = staticName(host, property.name);
      if (name === undefined) return unseen("a name in it is computed");
      entries.set(name, { kind: "expression", expression: property.initializer });
    } else if (syntax.isShorthandPropertyAssignment(property)) {
      entries.set(property.name.getText(), valueOfShorthand(host, property));
    } else if (syntax.isMethodDeclaration(property)) {
      const name = staticName(host, property.name);
      if (name !== undefined) entries.set(name, functionValue(host, property));
    }
  }
  return { kind: "record", entries };
}

function staticName({ syntax }: Host, name: Node): string | undefined {
  const isText = syntax.isIdentifier(name) || syntax.isStringLiteral(name) || syntax.isNumericLiteral(name);
  return isText ? name.text : undefined;
}

/** What `name` stands for in `{ name }`; `undefined` for another node. */
export function followShorthand(host: Host, property: Node): Value | undefined {
  if (!host.syntax.isShorthandPropertyAssignment(property)) return undefined;
  const value = valueOfShorthand(host, property);
  return value.kind === "expression" ? followValue(host, value.expression) : value;
}

function valueOfShorthand(host: Host, property: Node): Value {
  const symbol = host.shorthandValue(property);
  return symbol ? valueOfSymbol(host, symbol) : unseen("it is not declared");
}

/** `base.name`. What an object is made with comes first: others may look alike, and its type says less. */
function member(host: Host, base: Expression, name: Node): Value {
  const { syntax } = host;
  const symbol = host.symbolAt(name);
  const declaration = symbol && host.declarationOf(symbol);
  if (symbol === undefined || declaration === undefined) return unseen("it is not declared");
  const isMade = syntax.isObjectLiteralExpression(declaration.parent);
  const isTyped =
    syntax.isTypeLiteralNode(declaration.parent) || syntax.isInterfaceDeclaration(declaration.parent);
  const reached = { object: base, name: symbol.name };
  if (syntax.isClassLikeDeclaration(declaration.parent)) {
    return asMember(asReplaceable(valueOfSymbol(host, symbol)), reached);
  }
  if (!isMade && !isTyped) return valueOfSymbol(host, symbol);
  const entry = entryOf(followValue(host, base), symbol.name);
  if (entry.kind === "unseen" && isTyped) return asMember(valueOfSymbol(host, symbol), reached);
  return entry.kind === "function" && entry.typed !== undefined ? asMember(entry, reached) : entry;
}

function entryOf(value: Value, name: string): Value {
  if (value.kind === "unseen") return value;
  const entry = value.kind === "record" ? value.entries.get(name) : undefined;
  return entry ?? unseen(`where ${name} comes from is not known`);
}

function valueOfSymbol(host: Host, symbol: TypeSymbol): Value {
  const { syntax } = host;
  const declaration = host.declarationOf(symbol);
  if (declaration === undefined) return unseen(`${symbol.name} is not declared`);
  if (syntax.isClassLikeDeclaration(declaration)) return unseen(`${symbol.name} is a class, not a function`);
  if (syntax.isGetAccessorDeclaration(declaration))
    return unseen(`${symbol.name} is created when it is first read`);
  if (syntax.isFunctionLikeDeclaration(declaration)) return functionValue(host, declaration);
  if (syntax.isVariableDeclaration(declaration)) return valueOfVariable(host, symbol, declaration);
  if (syntax.isExportAssignment(declaration) || syntax.isPropertyAssignment(declaration)) {
    const value = syntax.isExportAssignment(declaration) ? declaration.expression : declaration.initializer;
    return { kind: "expression", expression: value };
  }
  if (syntax.isShorthandPropertyAssignment(declaration)) return valueOfShorthand(host, declaration);
  if (syntax.isBindingElement(declaration)) return valueOfBinding(host, declaration);
  if (syntax.isPropertyDeclaration(declaration) && declaration.initializer !== undefined) {
    return { kind: "expression", expression: declaration.initializer };
  }
  if (syntax.isParameterDeclaration(declaration)) {
    return unseen(`the parameter ${symbol.name} can be any function: declare it as a ToolFunction`);
  }
  return valueOfType(host, host.typeOf(symbol), declaration);
}

function valueOfVariable(
  host: Host,
  symbol: TypeSymbol,
  declaration: Node & { readonly initializer?: Expression | undefined },
): Value {
  const { initializer, parent } = declaration;
  if (initializer === undefined && isAmbient(parent)) {
    const value = valueOfType(host, host.typeOf(symbol), declaration);
    return value.kind === "function" && value.name === "" ? { ...value, name: symbol.name } : value;
  }
  if (!isConstant(parent))
    return unseen(`${symbol.name} is a variable that may change: declare it with const`);
  if (initializer === undefined) return unseen("it is decided when the program runs");
  const isFunction = host.syntax.isFunctionLikeDeclaration(bare(host, initializer));
  if (!isFunction && isChanged(declaration, symbol.name))
    return unseen(`${symbol.name} is changed after it is made`);
  return { kind: "expression", expression: initializer };
}

/** `const { name } = record`, or `const [first] = list`. */
function valueOfBinding(host: Host, element: Node): Value {
  const { syntax } = host;
  const pattern = element.parent;
  const variable = pattern.parent;
  const isPlain =
    syntax.isBindingElement(element) &&
    element.initializer === undefined &&
    element.dotDotDotToken === undefined &&
    syntax.isVariableDeclaration(variable) &&
    isConstant(variable.parent);
  if (!isPlain || variable.initializer === undefined) return unseen("it is decided when the program runs");
  const whole = followValue(host, variable.initializer);
  if (syntax.isArrayBindingPattern(pattern) && whole.kind === "list") {
    return whole.items[pattern.elements.indexOf(element)] ?? unseen("the list is shorter");
  }
  const name = element.propertyName ?? element.name;
  return entryOf(whole, name === undefined ? "" : (staticName(host, name) ?? ""));
}

/** What a call returns: of `bind`, the function; of a function whose code is known, what its code says. */
function returned(host: Host, call: CallExpression): Value {
  const { syntax } = host;
  const callee = bare(host, call.expression);
  if (syntax.isPropertyAccessExpression(callee)) {
    const method = libraryMethod(host, callee.name);
    if (method === "Function.bind") return boundFunction(host, callee.expression, [...call.arguments]);
    const [only] = call.arguments;
    if (method === "ObjectConstructor.freeze" && only) return { kind: "expression", expression: only };
  }
  return passedThrough(host, call) ?? wrappedValue(host, call) ?? returnedByCode(host, call);
}

/** The argument that a function returns as it is: `define(fn)` of `function define(fn: Handler) { return fn; }`. */
function passedThrough(host: Host, call: CallExpression): Value | undefined {
  const called = followValue(host, call.expression);
  const code = called.kind === "function" && called.bound === 0 ? called.node : undefined;
  if (code === undefined || !("body" in code) || code.body === undefined || isDeferred(host, code))
    return undefined;
  const [result, ...others] = returnedExpressions(host, code.body).map((each) => bare(host, each));
  if (result === undefined || others.length > 0 || !host.syntax.isIdentifier(result)) return undefined;
  const index = [...code.parameters].findIndex(
    ({ name, dotDotDotToken, initializer }) =>
      dotDotDotToken === undefined &&
      initializer === undefined &&
      host.syntax.isIdentifier(name) &&
      name.text === result.text,
  );
  const passed = [...call.arguments].slice(0, index + 1);
  const argument = passed[index];
  const parameter = code.parameters[index];
  const symbol = host.symbolAt(result);
  const isIt = symbol !== undefined && host.declarationOf(symbol) === parameter;
  if (argument === undefined || !isIt || passed.some((each) => host.syntax.isSpreadElement(each)))
    return undefined;
  return isAssigned(code.body, result.text) ? undefined : { kind: "expression", expression: argument };
}

function wrappedValue(host: Host, call: CallExpression): WrappedValue | undefined {
  const [type, ...types] = host.typesAt([call, ...call.arguments]);
  const functions = [...call.arguments].filter((_, index) => isFunction(host, types[index]));
  if (functions.length === 0 || type === undefined || !isFunction(host, type)) return undefined;
  return { kind: "wrapped", call, type, functions, bound: 0 };
}

function isFunction(host: Host, type: Type | undefined): boolean {
  return type !== undefined && !(type.flags & host.flags.Any) && host.callSignatures(type).length > 0;
}

/** What the code of the function that a call names returns. */
export function returnedByCode(host: Host, call: CallExpression): Value {
  const callee = bare(host, call.expression);
  const called = followValue(host, callee);
  if (called.kind !== "function") return unseen(`what ${describeText(callee)} returns is not known`);
  if (!("body" in called.node) || called.node.body === undefined) {
    if (mayMoveContext(host, call, (fn) => codeOf(host, fn))) {
      return unseen(`only the code of ${describeText(callee)} shows where it passes the ToolContext on`);
    }
    const [type] = host.typesAt([call]);
    return valueOfType(host, type, called.node);
  }
  const results = returnedExpressions(host, called.node.body);
  const [result] = results;
  if (result === undefined || results.length > 1) {
    return unseen(`${describeText(callee)} returns one thing or another`);
  }
  return { kind: "expression", expression: result, creation: call };
}

/** The function whose code runs where an expression is called, as far as the text shows. */
export function codeOf(host: Host, expression: Expression): FunctionNode | undefined {
  const value = followValue(host, expression);
  if (value.kind === "function") return value.node;
  const result = value.kind === "wrapped" ? returnedByCode(host, value.call) : undefined;
  const inner = result?.kind === "expression" ? followValue(host, result.expression) : result;
  return inner?.kind === "function" ? inner.node : undefined;
}

function boundFunction(host: Host, target: Expression, [, ...args]: readonly Expression[]): Value {
  const value = followValue(host, target);
  if (value.kind !== "function" && value.kind !== "wrapped") return value;
  if (args.some((argument) => host.syntax.isSpreadElement(argument))) {
    return unseen("how many parameters are bound is not known");
  }
  const bound = value.bound + args.length;
  if (value.kind === "wrapped") return { ...value, bound };
  return { ...value, bound, boundTo: [...(value.boundTo ?? []), ...args] };
}

/** What a declaration without code says. */
function valueOfType(host: Host, type: Type | undefined, typed: Node | undefined): Value {
  if (type === undefined) return unseen("its type is not known");
  const [signature] = host.callSignatures(type);
  if (signature !== undefined) {
    const node = functionOfSignature(host, signature);
    if (node === undefined) return unseen("its signature is not declared");
    // Any function can have the type of one: \`typeof weather\`.
    return { ...functionValue(host, node), type, replaceable: true, ...(typed && { typed }) };
  }
  if (!(type.flags & host.flags.Object)) return unseen("its type allows for several");
  const elements = host.tupleElements(type);
  if (elements?.every(({ kind }) => kind === "required")) {
    return { kind: "list", items: elements.map((element) => valueOfType(host, element.type, typed)) };
  }
  if (elementsOf(host, type) !== undefined)
    return unseen("it is a list of unknown length: declare it `as const`");
  if (host.indexSignatures(type).length > 0) return unseen("its names are not known");
  return { kind: "record", entries: methodsOf(host, type) };
}

/** The beginning of what is written there. */
export function describeText(node: Node): string {
  const text = node.getText().replaceAll(/\s+/g, " ");
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

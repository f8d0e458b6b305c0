import type { ArgumentDefault, ArgumentDefaults, RevivedType } from "../../schema/function-schema.ts";
import { defineOwn } from "../../base/util/snapshot.ts";
import { bigintText, constantInitializer, isConstant, staticValue } from "./defaults.ts";
import { keyOf } from "./pattern-keys.ts";
import type { BindingPattern, Expression, Host, NewExpression, ParameterDeclaration } from "./host.ts";

/** How many constants may name one another. */
const deepest = 8;

const unknown: ArgumentDefault = { isUnknown: true };
const possible: ArgumentDefault = { isPossible: true };

const constructed: ReadonlyMap<string, RevivedType> = new Map([
  ["Date", "date"],
  ["URL", "url"],
  ["Set", "set"],
  ["Map", "map"],
]);

/** What a function puts in place of an argument that is left out, and within it; `undefined` for nothing. */
export function argumentDefault(
  host: Host,
  declared: ParameterDeclaration | undefined,
): ArgumentDefault | undefined {
  if (declared === undefined) return possible;
  const implemented = implementedParameter(host, declared);
  if (implemented) return bindingDefault(host, implemented.name, implemented.initializer);
  const properties = possibleDefaults(host, declared.name);
  return { ...possible, ...(properties && { properties }) };
}

/** The parameter of the function that has a body, whose initializers count: of overloads, the implementation's. */
function implementedParameter(host: Host, declared: ParameterDeclaration): ParameterDeclaration | undefined {
  const { syntax } = host;
  const { parent } = declared;
  if (!syntax.isFunctionLikeDeclaration(parent)) return undefined;
  if (parent.body !== undefined) return declared;
  const symbol = "name" in parent && parent.name ? host.symbolAt(parent.name) : undefined;
  for (const declaration of symbol === undefined ? [] : host.declarationsOf(symbol)) {
    if (!syntax.isFunctionLikeDeclaration(declaration) || declaration.body === undefined) continue;
    // An implementation that collects the rest has no initializers.
    return declaration.parameters[parent.parameters.indexOf(declared)] ?? declared;
  }
  return undefined;
}

/** A declaration file has patterns without their initializers. */
function possibleDefaults(host: Host, name: ParameterDeclaration["name"]): ArgumentDefaults | undefined {
  if (host.syntax.isIdentifier(name)) return undefined;
  return membersOf(host, name, (element) => {
    const properties = element && possibleDefaults(host, element);
    return { ...possible, ...(properties && { properties }) };
  });
}

function bindingDefault(
  host: Host,
  name: ParameterDeclaration["name"],
  initializer: Expression | undefined,
): ArgumentDefault | undefined {
  const own = initializer === undefined ? {} : initialValue(host, initializer, 0);
  const properties = host.syntax.isIdentifier(name)
    ? undefined
    : membersOf(host, name, (inner, initial) => inner && bindingDefault(host, inner, initial));
  const all = { ...own, ...(properties && { properties }) };
  return Object.keys(all).length > 0 ? all : undefined;
}

type BindingElement = BindingPattern["elements"][number];

/** The defaults of what a pattern takes apart, by names or indices; `undefined` if there are none. */
function membersOf(
  host: Host,
  pattern: BindingPattern,
  read: (name: BindingElement["name"], initializer: Expression | undefined) => ArgumentDefault | undefined,
): ArgumentDefaults | undefined {
  const isList = host.syntax.isArrayBindingPattern(pattern);
  const defaults: Record<string, ArgumentDefault> = {};
  for (const [index, { name, propertyName, initializer, dotDotDotToken }] of pattern.elements.entries()) {
    const key = isList ? String(index) : keyOf(host, propertyName ?? name);
    const entry = dotDotDotToken === undefined && key !== undefined ? read(name, initializer) : undefined;
    if (entry && key !== undefined) defineOwn(defaults, key, entry);
  }
  return Object.keys(defaults).length > 0 ? defaults : undefined;
}

/** The value that an initializer gives at every call, or that it is not known. */
function initialValue(host: Host, node: Expression, depth: number): ArgumentDefault {
  const { syntax } = host;
  if (depth > deepest) return unknown;
  const inner = (expression: Expression): ArgumentDefault => initialValue(host, expression, depth + 1);
  if (
    syntax.isParenthesizedExpression(node) ||
    syntax.isAsExpression(node) ||
    syntax.isSatisfiesExpression(node)
  ) {
    return inner(node.expression);
  }
  const digits = bigintText(host, node);
  if (digits !== undefined) return { value: digits, type: "bigint" };
  if (syntax.isNewExpression(node)) return constructedDefault(host, node, inner);
  if (syntax.isIdentifier(node)) {
    if (node.text === "undefined") return {};
    const initializer = constantInitializer(host, node);
    const constant = initializer === undefined ? unknown : inner(initializer);
    // The program may have changed an object that it shares.
    return isPrimitive(constant) || isConstant(host, initializer) ? constant : unknown;
  }
  const value = staticValue(host, node);
  if (value === undefined) return unknown;
  if (syntax.isArrayLiteralExpression(node)) {
    return node.elements.every((element) => isJson(inner(element))) ? { value } : unknown;
  }
  if (syntax.isObjectLiteralExpression(node)) {
    const members = [...node.properties];
    const isPlain = members.every(
      (member) => syntax.isPropertyAssignment(member) && isJson(inner(member.initializer)),
    );
    return isPlain ? { value } : unknown;
  }
  return { value };
}

/** `new Date("2026-01-31")` and its like. */
function constructedDefault(
  host: Host,
  node: NewExpression,
  inner: (expression: Expression) => ArgumentDefault,
): ArgumentDefault {
  const value = staticValue(host, node);
  const type = constructed.get(host.symbolAt(node.expression)?.name ?? "");
  const [first] = node.arguments ?? [];
  const argument = first && inner(first);
  if (value === undefined || type === undefined || (argument && !isJson(argument))) return unknown;
  // A time without its zone is another one where the program runs.
  const isLocal = type === "date" && typeof argument?.value === "string" && !hasZone(argument.value);
  return isLocal ? unknown : { value, type };
}

function hasZone(time: string): boolean {
  return /^\d{4}-\d\d-\d\d(?:T.*(?:Z|[+-]\d\d:\d\d))?$/.test(time);
}

function isJson({ value, type }: ArgumentDefault): boolean {
  return value !== undefined && type === undefined;
}

function isPrimitive({ value, type }: ArgumentDefault): boolean {
  return (typeof value !== "object" || value === null) && (type === undefined || type === "bigint");
}

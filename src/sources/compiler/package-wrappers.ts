import type { CallExpression, Expression, Host, Node, Type } from "./host.ts";
import type { FunctionNode } from "./function-nodes.ts";
import { libraryMethod } from "./library-methods.ts";
import { libraryPath } from "./shapes.ts";
import { isToolContext } from "./tool-context.ts";
import { bare } from "./use-sites-expressions.ts";

/**
 * Functions of packages whose result passes its arguments on, each at its place, as runs of them have shown. By the package that
 * declares them, without `@types/`, and the name of the declaration.
 */
const keepingPlaces: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    lodash: ["after", "before", "debounce", "memoize", "once", "throttle"],
    underscore: ["debounce", "memoize", "once", "throttle"],
    "es-toolkit": ["after", "before", "debounce", "once", "throttle"],
    ramda: ["memoizeWith", "once"],
    "types-ramda": ["memoizeWith", "once"],
    memoize: ["memoize"],
    "memoize-one": ["memoizeOne"],
    "fast-memoize": ["MemoizeFunc"],
    "p-debounce": ["pDebounce"],
    "p-limit": ["limitFunction"],
    "p-memoize": ["pMemoize"],
    "p-retry": ["makeRetriable"],
    "p-throttle": ["pThrottle"],
    node: ["deprecate"],
    vitest: ["fn", "spyOn", "mocked"],
    "@vitest/spy": ["fn", "spyOn", "mocked"],
    jest: ["fn", "spyOn", "mocked"],
    "jest-mock": ["fn", "spyOn", "mocked"],
  }).map(([name, functions]) => [name, new Set(functions)]),
);

/** How deep functions are looked for in what a call gets. */
const deepest = 2;

/** The function whose code runs where an expression is called; `undefined` where the text does not show. */
export type CodeOf = (callee: Expression) => FunctionNode | undefined;

/**
 * Whether a call passes a function with a `ToolContext` to code that is not there to be read, which alone shows which argument the
 * function gets as its context: `flip(fn)` has the type of `fn`, and would pass what a model has written.
 */
export function mayMoveContext(host: Host, call: CallExpression, codeOf: CodeOf): boolean {
  return passesContext(host, call) && isOpaque(host, call, codeOf);
}

/**
 * Whether a call, or one that it goes on from as in `chain(fn).once()`, gets a function that takes a `ToolContext`, or is made on
 * what holds one, as in `[fn].map(wrap)`.
 */
export function passesContext(host: Host, call: CallExpression): boolean {
  const callee = bare(host, call.expression);
  const base = host.syntax.isPropertyAccessExpression(callee) ? [callee.expression] : [];
  if (holdContextFunctions(host, [...call.arguments, ...base])) return true;
  const previous = previousCall(host, call);
  return previous !== undefined && passesContext(host, previous);
}

/** Whether one of the expressions is, or holds, a function that takes a `ToolContext`. */
export function holdContextFunctions(host: Host, expressions: readonly Expression[]): boolean {
  const types = host.typesAt(expressions);
  return types.some((type) => type !== undefined && holdsContextFunction(host, type, deepest));
}

/** Whether code runs that cannot be read, and may pass arguments on at other places. */
export function isOpaque(host: Host, call: CallExpression, codeOf: CodeOf): boolean {
  const callee = calledExpression(host, call);
  if (isOpaqueFunction(host, callee, codeOf)) return true;
  if ([...call.arguments].some((argument) => isOpaqueWrapper(host, argument, codeOf))) return true;
  const previous = previousCall(host, call);
  return previous !== undefined && isOpaque(host, previous, codeOf);
}

/** Whether what a call runs is a parameter of the function around: who calls that one knows what it is. */
export function callsParameter(host: Host, call: CallExpression): boolean {
  const callee = calledExpression(host, call);
  const symbol = host.syntax.isIdentifier(callee) ? host.symbolAt(callee) : undefined;
  const declaration = symbol && host.declarationOf(symbol);
  return declaration !== undefined && host.syntax.isParameterDeclaration(declaration);
}

/** How often `call` and `apply` may stand in front of one another. */
const mostReceivers = 3;

/** What a call runs: of `wrap.call(undefined, fn)` and `Reflect.apply(wrap, undefined, [fn])`, `wrap`. */
function calledExpression(host: Host, call: CallExpression): Expression {
  let callee = bare(host, call.expression);
  for (let steps = 0; steps < mostReceivers; steps += 1) {
    if (!host.syntax.isPropertyAccessExpression(callee)) break;
    const method = libraryMethod(host, callee.name);
    const [first] = call.arguments;
    if (method === "Function.call" || method === "Function.apply") callee = bare(host, callee.expression);
    else if (method === "Reflect.apply" && first !== undefined) callee = bare(host, first);
    else break;
  }
  return callee;
}

function isOpaqueFunction(host: Host, callee: Expression, codeOf: CodeOf): boolean {
  const code = codeOf(callee);
  if (code !== undefined) return isOpaqueDeclaration(host, code);
  const [type] = host.typesAt([callee]);
  const signatures = type === undefined ? [] : host.callSignatures(type);
  const declarations = signatures.flatMap((signature) => host.signatureDeclaration(signature) ?? []);
  return declarations.some((declaration) => isOpaqueDeclaration(host, declaration));
}

/** Whether an argument is itself a function that may make others of functions: who gets it may call it with the one at hand. */
function isOpaqueWrapper(host: Host, argument: Expression, codeOf: CodeOf): boolean {
  const [type] = host.typesAt([argument]);
  const signatures = type === undefined ? [] : host.callSignatures(type);
  const makesFunctions = signatures.some((signature) => {
    const result = host.returnType(signature);
    const constraint =
      result && ((result.flags & host.flags.TypeParameter) !== 0 ? host.constraintOf(result) : result);
    return (
      constraint !== undefined && (constraint.flags & host.flags.Any) === 0 && host.isCallable(constraint)
    );
  });
  return makesFunctions && isOpaqueFunction(host, bare(host, argument), codeOf);
}

/** Whether a declaration has no code that can be read, and is not known to keep arguments in their places. */
function isOpaqueDeclaration(host: Host, declaration: Node): boolean {
  const declaring = packageOf(host, declaration);
  if (declaring === undefined) return !isReadable(host, declaration) && !isOfTypeScript(declaration);
  const names = keepingPlaces.get(declaring);
  return names === undefined || !namesOf(host, declaration).some((name) => names.has(name));
}

/** Overloads have their code in another declaration. */
export function isReadable(host: Host, declaration: Node): boolean {
  const { syntax } = host;
  const hasBody = (node: Node): boolean => syntax.isFunctionLikeDeclaration(node) && node.body !== undefined;
  if (hasBody(declaration)) return true;
  if (!syntax.isFunctionDeclaration(declaration) && !syntax.isMethodDeclaration(declaration)) return false;
  const symbol = declaration.name && host.symbolAt(declaration.name);
  return symbol !== undefined && host.declarationsOf(symbol).some(hasBody);
}

function isOfTypeScript(declaration: Node): boolean {
  return libraryPath.test(declaration.getSourceFile().fileName);
}

function previousCall(host: Host, call: CallExpression): CallExpression | undefined {
  const { syntax } = host;
  const callee = bare(host, call.expression);
  const base: Expression = syntax.isPropertyAccessExpression(callee) ? callee.expression : callee;
  return syntax.isCallExpression(base) ? base : undefined;
}

function holdsContextFunction(host: Host, type: Type, depth: number): boolean {
  const { Any, Object: isObject } = host.flags;
  if ((type.flags & Any) !== 0) return false;
  const signatures = host.callSignatures(type);
  if (signatures.some((signature) => takesContext(host, host.signatureParameters(signature)))) return true;
  if (signatures.length > 0 || depth === 0 || (type.flags & isObject) === 0) return false;
  const element = host.arrayElement(type);
  const elements = host.tupleElements(type)?.map((each) => each.type) ?? (element ? [element] : undefined);
  const members = elements ?? host.properties(type).map((property) => property.type);
  return members.some((member) => holdsContextFunction(host, member, depth - 1));
}

function takesContext(host: Host, parameters: readonly { readonly type: Type }[]): boolean {
  return parameters.some(({ type }) => {
    const elements = host.tupleElements(type)?.map((element) => element.type) ?? [type];
    return elements.some((element) => isToolContext(host, element));
  });
}

/** The package that a declaration speaks of, where it stands or by `declare module`; `undefined` for the program's own, and for TypeScript's libraries. */
function packageOf({ syntax }: Host, declaration: Node): string | undefined {
  for (let node = declaration; !syntax.isSourceFile(node); node = node.parent) {
    if (!syntax.isModuleDeclaration(node) || !syntax.isStringLiteral(node.name)) continue;
    const [declared] = /^(?:@[^/]+\/)?[^/]+/.exec(node.name.text) ?? [];
    // A path or a pattern says nothing of a package.
    if (declared !== undefined && !/^[.]|\*/.test(declared))
      return packageName(declared.replace(/^node:.*/, "node"));
  }
  const path = declaration.getSourceFile().fileName.replaceAll("\\", "/");
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  if (name === undefined || name === "typescript" || name.startsWith("@typescript/")) return undefined;
  return packageName(name);
}

function packageName(name: string): string {
  return name.replace(/^@types\//, "");
}

/** The names of a declaration and of those around it: `memoize` and `Lodash` of `interface Lodash { memoize: { (fn): ... } }`. */
function namesOf({ syntax }: Host, declaration: Node): readonly string[] {
  const names: string[] = [];
  for (let node = declaration; !syntax.isSourceFile(node); node = node.parent) {
    if (
      syntax.isFunctionDeclaration(node) ||
      syntax.isMethodDeclaration(node) ||
      syntax.isMethodSignatureDeclaration(node) ||
      syntax.isPropertySignatureDeclaration(node) ||
      syntax.isVariableDeclaration(node) ||
      syntax.isInterfaceDeclaration(node)
    )
      names.push(node.name?.getText() ?? "");
  }
  return names;
}

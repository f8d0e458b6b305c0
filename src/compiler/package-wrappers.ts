import type { CallExpression, Expression, Host, Node, Type } from "./host.ts";
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

/**
 * Whether a call passes a function with a `ToolContext` to a package, whose code alone tells which argument the function gets as
 * its context: `flip(fn)` has the type of `fn`, and would pass what a model has written.
 */
export function mayMoveContext(host: Host, call: CallExpression): boolean {
  return passesContext(host, call) && isOpaque(host, call);
}

/** Whether a call, or one that it goes on from as in `chain(fn).once()`, gets a function that takes a `ToolContext`. */
export function passesContext(host: Host, call: CallExpression): boolean {
  const types = host.typesAt([...call.arguments]);
  if (types.some((type) => type !== undefined && holdsContextFunction(host, type, deepest))) return true;
  const previous = previousCall(host, call);
  return previous !== undefined && passesContext(host, previous);
}

/** Whether a package's function is called that may pass arguments on at other places. */
export function isOpaque(host: Host, call: CallExpression): boolean {
  const [type] = host.typesAt([call.expression]);
  const signatures = type === undefined ? [] : host.callSignatures(type);
  const declarations = signatures.flatMap((signature) => host.signatureDeclaration(signature) ?? []);
  return declarations.some((declaration) => {
    const declaring = packageOf(declaration);
    if (declaring === undefined) return false;
    const names = keepingPlaces.get(declaring);
    return names === undefined || !namesOf(host, declaration).some((name) => names.has(name));
  });
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

/** The package that a declaration stands in; `undefined` for the program's own, and for TypeScript's libraries. */
function packageOf(declaration: Node): string | undefined {
  const path = declaration.getSourceFile().fileName.replaceAll("\\", "/");
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
  if (name === undefined || name === "typescript" || name.startsWith("@typescript/")) return undefined;
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

import { fileURLToPath } from "node:url";
import { allowsUndefined, has } from "./types/conversion.ts";
import type { Host, Node, Type } from "./host.ts";

let folderOfPackage: string | undefined;

/**
 * This package's folder: two above `src/compiler` and `dist/compiler` alike, with slashes and in lower case. Cut from the
 * text and when first needed, since bundlers take `new URL` with a folder for an asset.
 */
function packageFolder(): string {
  folderOfPackage ??= comparable(fileURLToPath(import.meta.url)).replace(/[^/]+\/[^/]+\/[^/]+$/, "");
  return folderOfPackage;
}

/**
 * Whether `type` is Skein's `ToolContext`, with or without `undefined`.
 * Told by where the type is declared, not by what it is called in the function: an interface named `ToolContext` in `src/` or
 * `dist/` of this package, or of another copy of it in `node_modules`. Import aliases, type aliases, the parameter's name and
 * its position make no difference; a `ToolContext` of the program's own is an ordinary type.
 */
export function isToolContext(host: Host, type: Type): boolean {
  const [only, ...others] = presentMembers(host, type);
  return only !== undefined && others.length === 0 && isOwnType(host, only, /^ToolContext$/);
}

/**
 * Whether `type` is what Skein's own types expect of any parameter, where nobody has written another: `never`, or without
 * `strictFunctionTypes` whatever a model may send. It says nothing of the parameter, which may be a `ToolContext`.
 */
export function isAnyArgument(host: Host, type: Type): boolean {
  if (has(type, host.flags.Never)) return true;
  return [type, ...host.unionMembers(type)].some((member) => {
    const parts = host.intersectionMembers(member);
    const isMarked = parts.some((part) => isOwnType(host, part, /^ContextType$/));
    return isMarked && !parts.some((part) => isOwnType(host, part, /^ToolContext$/));
  });
}

/** What is wrong with a `ToolContext` anywhere but as a parameter of its own: a model would have to make it up. */
export const contextProblem =
  "a ToolContext is injected only as a parameter of its own: declare one, such as context: ToolContext";

/** Whether a member is one of `ToolContext`'s: as they are found in types made of it, such as `Pick<ToolContext, "context">`. */
export function isContextMember(host: Host, declaration: Node): boolean {
  const { parent } = declaration;
  return (
    parent !== undefined &&
    host.syntax.isInterfaceDeclaration(parent) &&
    parent.name.text === "ToolContext" &&
    isOurs(parent.getSourceFile().fileName)
  );
}

/** Aliases and type parameters are followed so far. */
const deepest = 5;

/**
 * Whether a written type names `ToolContext` anywhere but in the type of a function: also where nothing is left of it, as in
 * `ToolContext | any`, or where a type parameter stands for it by default.
 */
export function namesToolContext(host: Host, written: Node, depth = 0): boolean {
  const { syntax } = host;
  if (depth > deepest || syntax.isFunctionTypeNode(written)) return false;
  if (syntax.isTypeReferenceNode(written) && referencesContext(host, written.typeName, depth)) return true;
  let isNamed = false;
  written.forEachChild((child) => {
    isNamed ||= namesToolContext(host, child, depth);
  });
  return isNamed;
}

function referencesContext(host: Host, name: Node, depth: number): boolean {
  const { syntax } = host;
  const symbol = host.symbolAt(name);
  if (symbol === undefined || host.isFromLibrary(symbol)) return false;
  if (symbol.name === "ToolContext") return host.declaringFiles(symbol).some(isOurs);
  return host.declarationsOf(symbol).some((declaration) => {
    const inner = syntax.isTypeAliasDeclaration(declaration)
      ? [declaration.type]
      : syntax.isTypeParameterDeclaration(declaration)
        ? [declaration.constraint, declaration.defaultType]
        : [];
    return inner.some((node) => node !== undefined && namesToolContext(host, node, depth + 1));
  });
}

/** Whether a value of `type` may be a handoff or a `result({ ... })`, which says more than a value. */
export function mayBeDirective(host: Host, type: Type): boolean {
  return presentMembers(host, type).some((member) =>
    isOwnType(host, member, /^(?:Agent|AgentLike|ToolReturn)$/),
  );
}

function presentMembers(host: Host, type: Type): readonly Type[] {
  if (!has(type, host.flags.Union)) return [type];
  return host.unionMembers(type).filter((member) => !allowsUndefined(host, member));
}

/** Whether `type` is declared by this package, under a name like `name`. */
function isOwnType(host: Host, type: Type, name: RegExp): boolean {
  const symbol = has(type, host.flags.Object) ? type.getSymbol() : undefined;
  return symbol !== undefined && name.test(symbol.name) && host.declaringFiles(symbol).some(isOurs);
}

function isOurs(file: string): boolean {
  const path = comparable(file);
  // A bundle stands in another folder than the package.
  const within = path.split("/node_modules/skein/").slice(1);
  if (path.startsWith(packageFolder())) within.push(path.slice(packageFolder().length));
  return within.some((inner) => /^(src\/(tool|agent)\/[\w-]+\.ts|dist\/.*\.d\.[cm]?ts)$/.test(inner));
}

/** The checker writes paths with slashes, in lower case where the file system does not tell cases apart. */
function comparable(path: string): string {
  return path.replaceAll("\\", "/").toLowerCase();
}

import { allowsUndefined, has } from "./types/conversion.ts";
import type { Host, Node, Type } from "./host.ts";
import { comparable, isOurs } from "./own-package.ts";

/**
 * Whether `type` is Skein's `ToolContext`, with or without `undefined`.
 * Decided by where the type is declared, not by its name in the function: an interface named `ToolContext` in `src/` or
 * `dist/` of this package, or of another copy of it; or one with the mark of ours. Import aliases, type aliases, the parameter's name and
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

/** What is wrong with a `ToolContext` that another package declares, or a copy without the mark. */
export const foreignContextProblem =
  'a ToolContext of another package is not injected: write import type { ToolContext } from "skein"';

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
  if (symbol === undefined || !name.test(symbol.name)) return false;
  return host.declaringFiles(symbol).some(isOurs) || (symbol.name === "ToolContext" && isBranded(host, type));
}

/** Whether a type has the mark of a `ToolContext`, wherever its declaration was copied to. */
function isBranded(host: Host, type: Type): boolean {
  return host.properties(type).some(({ name }) => name.includes("@contextType@"));
}

/**
 * Whether `type` is called `ToolContext` and is none that is injected: that of another package, say. No model can write what
 * such a name stands for.
 */
export function isForeignContext(host: Host, type: Type): boolean {
  const symbol = has(type, host.flags.Object) ? type.getSymbol() : undefined;
  if (symbol?.name !== "ToolContext" || isToolContext(host, type)) return false;
  return host.declaringFiles(symbol).some((file) => /\.d\.[cm]?ts$|\/node_modules\//.test(comparable(file)));
}

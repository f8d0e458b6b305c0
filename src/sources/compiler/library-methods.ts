import type { Host, Node } from "./host.ts";

/**
 * A method of TypeScript's own libraries, such as `Function.bind` or `Reflect.apply`: by its declaration, since other libraries have
 * methods of the same name that do something else.
 * @param name - As it stands in the access of the method.
 */
export function libraryMethod(host: Host, name: Node): string | undefined {
  const { syntax } = host;
  const symbol = host.symbolAt(name);
  const declaration = symbol && host.isFromLibrary(symbol) ? host.declarationOf(symbol) : undefined;
  const parent = declaration?.parent;
  const owner = parent !== undefined && syntax.isModuleBlock(parent) ? parent.parent : parent;
  if (symbol === undefined || owner === undefined) return undefined;
  if (!syntax.isInterfaceDeclaration(owner) && !syntax.isModuleDeclaration(owner)) return undefined;
  return `${owner.name.text.replace(/^(?:Callable|Newable)(?=Function$)/, "")}.${symbol.name}`;
}

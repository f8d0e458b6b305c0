import type { Host, Type } from "../host.ts";
import { isForeignContext, isToolContext } from "../tool-context.ts";
import { has } from "./conversion.ts";

/** No type that people write to hold a context has more types within it. */
const mostTypes = 500;

/**
 * Whether a value of `type` holds a `ToolContext`, however deep: what does is never left out in silence. Only what the program
 * itself declares is looked into; packages do not know of contexts.
 */
export function holdsContext(host: Host, type: Type): boolean {
  return holds(host, type, (each) => isToolContext(host, each) || isForeignContext(host, each));
}

/**
 * Whether a type within `type` cannot be resolved, which may be a `ToolContext`: it is not left out in silence either. What
 * packages lack themselves is not looked for.
 */
export function holdsUnresolved(host: Host, type: Type): boolean {
  return holds(host, type, (each) => each.isErrorType());
}

function holds(host: Host, type: Type, isWanted: (each: Type) => boolean): boolean {
  const visited = new Map([[type.id, type]]);
  const add = (types: readonly Type[]): void => {
    for (const each of types) if (visited.size < mostTypes) visited.set(each.id, each);
  };
  // A map that grows while it is walked.
  for (const each of visited.values()) {
    if (isWanted(each)) return true;
    add(host.unionMembers(each));
    add(host.intersectionMembers(each));
    if (!has(each, host.flags.Object)) continue;
    add(host.typeArguments(each));
    if (isOwn(host, each)) add(host.properties(each).map((property) => property.type));
  }
  return false;
}

function isOwn(host: Host, type: Type): boolean {
  const symbol = type.getSymbol();
  if (symbol === undefined || host.isFromLibrary(symbol)) return false;
  return host.declaringFiles(symbol).some((file) => !file.includes("/node_modules/"));
}

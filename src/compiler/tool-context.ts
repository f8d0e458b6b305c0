import { fileURLToPath } from "node:url";
import { allowsUndefined } from "./types/conversion.ts";
import type { Host, Type } from "./host.ts";

/** This package's folder: two above `src/compiler` and `dist/compiler` alike. */
const packageFolder = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Whether `type` is Skein's `ToolContext`, with or without `undefined`.
 * Told by where the type is declared, not by what it is called in the function: an interface named `ToolContext` in
 * `src/tool/types.ts` or `dist/` of this package, or of another copy of it in `node_modules`. Import aliases, type aliases, the
 * parameter's name and its position make no difference; a `ToolContext` of the program's own is an ordinary type.
 */
export function isToolContext(host: Host, type: Type): boolean {
  const present = allowsUndefined(host, type)
    ? host.unionMembers(type).filter((member) => !allowsUndefined(host, member))
    : [type];
  const [only, ...others] = present;
  if (only === undefined || others.length > 0) return false;
  const symbol = only.getSymbol();
  return symbol?.name === "ToolContext" && host.declaringFiles(symbol).some(isOurs);
}

function isOurs(file: string): boolean {
  // The checker writes paths with slashes, in lower case where the file system does not tell cases apart.
  const path = file.replaceAll("\\", "/").toLowerCase();
  const folder = packageFolder.replaceAll("\\", "/").toLowerCase();
  const within = path.startsWith(folder)
    ? path.slice(folder.length)
    : path.split("/node_modules/skein/").at(1);
  return within !== undefined && /^(src\/tool\/types\.ts|dist\/.*\.d\.[cm]?ts)$/.test(within);
}

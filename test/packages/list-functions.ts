/** Lists the functions of packages by their types, and writes two tools for each. */
import type { Host, Type } from "../../src/sources/compiler/host.ts";
import type { Package } from "./packages.ts";

/** How deep methods are looked for: `client.chat.completions.create`. */
const deepest = 3;

/** A root and the keys that lead to a function. */
export interface FunctionPath {
  readonly root: string;
  readonly keys: readonly string[];
}

/** The aliases of a package's roots, to be asked for. */
export function rootsText({ name, roots }: Package): string {
  return (roots ?? [`typeof import("${name}")`])
    .map((root, index) => `export type Root${index} = ${root};\n`)
    .join("");
}

/** What can be called of a type, by the keys that lead there. */
export function listFunctions(host: Host, root: string, type: Type): readonly FunctionPath[] {
  const found: FunctionPath[] = [];
  const seen = new Set<number>();
  function visit(of: Type, keys: readonly string[]): void {
    if (seen.has(of.id)) return;
    seen.add(of.id);
    for (const { name, type: member } of host.properties(of)) {
      if (/^(?:__|_|#|toString$|toJSON$)/.test(name) || !/^[\w$]+$/.test(name)) continue;
      const path = [...keys, name];
      if ((member.flags & host.flags.Object) === 0) continue;
      if (host.isCallable(member)) found.push({ root, keys: path });
      else if (path.length < deepest && isLookedInto(host, member)) visit(member, path);
    }
  }
  visit(type, []);
  return found;
}

function isLookedInto(host: Host, type: Type): boolean {
  const symbol = type.getSymbol();
  return symbol !== undefined && !host.isFromLibrary(symbol) && host.arrayElement(type) === undefined;
}

/** The type of a function. */
export function functionType({ root, keys }: FunctionPath): string {
  return `${root}${keys.map((key) => `["${key}"]`).join("")}`;
}

/** The tools of functions: one that takes the first argument, and one that takes all. */
export function toolsText(functions: readonly FunctionPath[]): string {
  return functions
    .map((path, index) => {
      const type = functionType(path);
      const name = `${path.keys.join("_")}_${index}`;
      return (
        `export function first_${name}(input: Parameters<${type}>[0]): unknown {\n  return input;\n}\n` +
        `export function all_${name}(...input: Parameters<${type}>): unknown {\n  return input;\n}\n`
      );
    })
    .join("");
}

/** At most `most` of a list, from all over it. */
export function sample<Item>(items: readonly Item[], most: number): readonly Item[] {
  const step = Math.max(1, items.length / most);
  return Array.from(
    { length: Math.min(most, items.length) },
    (_, index) => items[Math.floor(index * step)],
  ).filter((item) => item !== undefined);
}

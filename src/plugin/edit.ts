import { MagicString } from "magic-string";
import type { SchemaTree, UseSites } from "../compiler/index.ts";

/** How a file's schemas are attached: with an import, or with `require` in a CommonJS module. */
export type ModuleFormat = "module" | "commonjs";

/**
 * Writes `attach(expression, schemas)` around each use of tools. No line moves: the schemas stand after the last one, in
 * functions, so that they are there before the module runs, and are made only when asked for.
 */
export function attachSchemas({ text, sites }: UseSites, format: ModuleFormat): MagicString {
  const edited = new MagicString(text);
  const prefix = unusedName(text);
  const attach = format === "module" ? prefix : 'require("skein/attach").attach';
  const made: string[] = [];
  // Inner expressions first, so that their brackets stand within.
  for (const { start, end, shorthand, schemas } of [...sites].sort(
    (a, b) => a.end - a.start - (b.end - b.start),
  )) {
    const code = treeCode(schemas);
    const known = made.indexOf(code);
    const place = known < 0 ? made.push(code) - 1 : known;
    const name = shorthand === undefined ? "" : `${shorthand}: `;
    edited.prependRight(start, `${name}/* @__PURE__ */ ${attach}(`);
    edited.appendLeft(end, `, ${prefix}_${place}())`);
  }
  if (format === "module") edited.append(`\nimport { attach as ${prefix} } from "skein/attach";`);
  for (const [place, code] of made.entries()) {
    edited.append(`\nfunction ${prefix}_${place}() { return ${code}; }`);
  }
  edited.append("\n");
  return edited;
}

function unusedName(text: string): string {
  let name = "__skein";
  while (text.includes(name)) name += "_";
  return name;
}

function treeCode(schemas: SchemaTree | null): string {
  if (schemas === null) return "null";
  if (typeof schemas === "string") return `'${schemas.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
  if (isList(schemas)) return `[${schemas.map(treeCode).join(", ")}]`;
  // In brackets a name is a name, also `__proto__`.
  const entries = Object.entries(schemas).map(
    ([name, inner]) => `[${JSON.stringify(name)}]: ${treeCode(inner)}`,
  );
  return `{ ${entries.join(", ")} }`;
}

function isList(schemas: SchemaTree): schemas is readonly (SchemaTree | null)[] {
  return Array.isArray(schemas);
}

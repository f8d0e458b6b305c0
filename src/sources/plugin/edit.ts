import { MagicString } from "magic-string";
import type { SchemaTree, UseSites } from "../compiler/index.ts";

/** A text, and the uses of tools in it. */
export type UsedTools = Pick<UseSites, "text" | "sites">;

/** How a file's schemas are attached: with an import, or with `require` in a CommonJS module. */
export type ModuleFormat = "module" | "commonjs";

/** A text to be put in at an offset. */
export interface Insertion {
  readonly at: number;
  readonly text: string;
}

/**
 * Writes `attach(expression, schemas)` around each use of tools. No line moves: the schemas stand after the last one, in
 * functions, so that they are there before the module runs, and are made only when asked for.
 */
export function attachSchemas(useSites: UsedTools, format: ModuleFormat): MagicString {
  const edited = new MagicString(useSites.text);
  for (const { at, text } of schemaInsertions(useSites, format)) edited.appendLeft(at, text);
  return edited;
}

/** The same as a list: in the order of the text, and where several stand at one offset, in theirs. */
export function schemaInsertions({ text, sites }: UsedTools, format: ModuleFormat): readonly Insertion[] {
  const prefix = unusedName(text);
  const attach = format === "module" ? prefix : 'require("skein/attach").attach';
  const bodies: string[] = [];
  const openings: Insertion[] = [];
  const closings: Insertion[] = [];
  // Inner expressions first, so that their brackets stand within.
  for (const { start, end, shorthand, schemas } of [...sites].sort(
    (a, b) => a.end - a.start - (b.end - b.start),
  )) {
    const code = treeCode(schemas);
    const index = bodies.indexOf(code);
    const place = index < 0 ? bodies.push(code) - 1 : index;
    const name = shorthand === undefined ? "" : `${shorthand}: `;
    openings.unshift({ at: start, text: `${name}/* @__PURE__ */ ${attach}(` });
    closings.push({ at: end, text: `, ${prefix}_${place}())` });
  }
  const lines = format === "module" ? [`import { attach as ${prefix} } from "skein/attach";`] : [];
  for (const [place, code] of bodies.entries()) {
    lines.push(`function ${prefix}_${place}() { return ${code}; }`);
  }
  const tail = { at: text.length, text: lines.map((line) => `\n${line}`).join("") + "\n" };
  return [...closings, ...openings].sort((left, right) => left.at - right.at).concat(tail);
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

import { existsSync } from "node:fs";
import { isAbsolute, relative } from "node:path";

interface IdFilter {
  readonly include: RegExp[];
  readonly exclude: RegExp;
}

const source = /\.[cm]?[jt]sx?$/;
const script = /\.(?:vue|svelte|astro)$/;

/** The ids of modules in which schemas may be attached: own source files, with or without a query. */
export const sourceIds: IdFilter = {
  include: [/\.[cm]?[jt]sx?(?:\?|$)/],
  exclude: /[\\/]node_modules[\\/]/,
};

/** Those and files with scripts in them. */
export const sourceOrScriptIds: IdFilter = { ...sourceIds, include: [...sourceIds.include, script] };

/** Queries of Vite that replace a module's code: its text, its address, a worker that runs it. */
const replacingQuery = /[?&](?:raw|url|inline|no-inline|worker|sharedworker)(?:[&=]|$)/;

/** The source file whose text is the code of the module `id`; `undefined` for virtual modules and assets. */
export function sourceFileOf(id: string): string | undefined {
  if (isSource(id)) return id;
  const file = id.replace(/\?.*$/s, "");
  return !replacingQuery.test(id.slice(file.length)) && isSource(file) ? file : undefined;
}

function isSource(path: string): boolean {
  return source.test(path) && isAbsolute(path) && existsSync(path);
}

/** Imports of what takes tools, by value. */
const toolImport =
  /\bimport\s*\{[^}]*(?<!\btype\s+)\b(?:Agent|tool|toolkit|toolset|ToolRegistry|schemaOf|executeToolCalls|generate|generateStream|output)\b[^}]*\}\s*from\s*["']skein["']/;

/** What is wrong with tools in the scripts of a Vue, Svelte or Astro file: TypeScript cannot read it. */
export function scriptProblem(id: string, code: string): string | undefined {
  if (!script.test(id) || !toolImport.test(code)) return undefined;
  const file = relative(process.cwd(), id);
  return `${file}: no schema can be attached in its script. Move the agent or its tools to a .ts file, and import them here.`;
}

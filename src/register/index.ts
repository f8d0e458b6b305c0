/**
 * `node --import skein/register app.ts`: attaches schemas to functions where they are used as tools, while the program's
 * files are loaded. Node strips the types afterwards, as it would without; no line moves.
 */
import { registerHooks, type LoadFnOutput } from "node:module";
import { fileURLToPath } from "node:url";
import { openCompiler } from "../compiler/index.ts";
import type { ModuleFormat } from "../plugin/edit.ts";
import { createReach } from "../plugin/reach.ts";
import { createTransformer } from "../plugin/transformer.ts";

const reach = createReach();
const transformer = createTransformer(await openCompiler());

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const file = sourceFile(url);
    const code = file && textOf(loaded.source);
    if (!file || !code) return loaded;
    const source = attached(file, code, formatOf(loaded.format));
    return source === undefined ? loaded : { ...loaded, source };
  },
});

/** The file behind a module's address, if it is one of the program's own. */
function sourceFile(url: string): string | undefined {
  if (!/^file:[^?#]*\.[cm]?[jt]s(?:[?#]|$)/.test(url) || url.includes("/node_modules/")) return undefined;
  return fileURLToPath(url);
}

function textOf(source: LoadFnOutput["source"]): string | undefined {
  if (source === undefined || source === null) return undefined;
  return typeof source === "string" ? source : new TextDecoder().decode(source);
}

function formatOf(format: string | null | undefined): ModuleFormat | undefined {
  if (format?.startsWith("module")) return "module";
  return format?.startsWith("commonjs") ? "commonjs" : undefined;
}

/** A program runs without schemas, too: what needs one says so when it is first used. */
function attached(file: string, code: string, format: ModuleFormat | undefined): string | undefined {
  try {
    const reached = reach.from(file, code);
    if (reached.length === 0) return undefined;
    const result = transformer.transform(file, code, reached, format);
    for (const problem of result.problems) process.stderr.write(`skein: ${problem}\n`);
    return result.code;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`skein: no schemas are attached in ${file}: ${reason}\n`);
    return undefined;
  }
}

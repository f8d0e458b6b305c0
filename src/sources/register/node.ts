import { registerHooks, type LoadFnOutput } from "node:module";
import { fileURLToPath } from "node:url";
import { noteAttachedLines } from "../../base/util/attached-lines.ts";
import { openCompiler } from "../compiler/index.ts";
import type { ModuleFormat } from "../plugin/edit.ts";
import { reportFailure, reportProblems } from "./report.ts";
import { createReach, type Reach } from "../plugin/reach.ts";
import { createTransformer, type Transformer } from "../plugin/transformer.ts";

/** Has Node attach schemas in the files that it loads, before it removes their types. */
export async function registerInNode(): Promise<void> {
  const reach = createReach();
  const transformer = createTransformer(await openCompiler());
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const file = sourceFile(url);
      const code = file && textOf(loaded.source);
      if (!file || !code) return loaded;
      const source = attached(transformer, reach, file, code, formatOf(loaded.format));
      if (source === undefined) return loaded;
      noteAttachedLines(file, code, source);
      return { ...loaded, source };
    },
  });
}

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
function attached(
  transformer: Transformer,
  reach: Reach,
  file: string,
  code: string,
  format: ModuleFormat | undefined,
): string | undefined {
  try {
    const reached = reach.from(file, code);
    if (reached.length === 0) return undefined;
    const result = transformer.transform(file, code, reached, format);
    reportProblems(result.problems);
    return result.code;
  } catch (error) {
    reportFailure(file, error);
    return undefined;
  }
}

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { CheckedFile, CheckedTool, Finding } from "../check/types.ts";
import type { Compiler, ExportOutline, FunctionDescription } from "../sources/compiler/index.ts";
import { SchemaNotFoundError } from "../errors.ts";
import { unboundThisMessage } from "../schema/unbound-this.ts";
import { errorMessage } from "../base/util/error-message.ts";
import type { Place } from "../base/util/place.ts";
import { importModule } from "./load-module.ts";
import { shareModel } from "./model-or-offline.ts";
import { readModuleTools } from "./module-tools.ts";
import { exportsAsCommonJs } from "./plan-loading.ts";
import { placeOfExport, placeOfFailure, problemsOf } from "./problems.ts";

/** What a file has to offer, and what of it cannot be used. */
export interface ToolFile extends CheckedFile {
  /** What cannot be expressed as a schema, or cannot be loaded. */
  readonly problems: readonly Finding[];
  /** What a schema says only in part, one sentence each. */
  readonly warnings: readonly string[];
  /** The files that decide what this one has to offer, itself included. */
  readonly madeOf: readonly string[];
}

/**
 * Reads the tools of a file that exists: its exported functions, from their source; and where it exports anything that
 * only running it can tell (`tool(...)`, toolkits, agents), what these values are. Never rejects for what is wrong in
 * the file: that is among the problems.
 */
export async function readToolFile(compiler: Compiler, path: string): Promise<ToolFile> {
  const file = resolve(path);
  const madeOf = [...compiler.imports(file)];
  const broken = compiler.syntaxErrors(file);
  if (broken.length > 0) return { ...nothing(file), madeOf, problems: broken };
  const outline = outlineFile(compiler, file);
  const functions = readFunctions(outline, compiler.exports(file));
  if (!holdsValues(outline, file)) {
    return {
      ...nothing(file),
      ...functions,
      exported: functions.tools,
      madeOf: [...new Set([...madeOf, ...compiler.dependencies(file)])],
    };
  }
  const run = await runFile(compiler, path, outline, functions.tools);
  // Beside an agent, a function that cannot be a tool is one that makes agents; those that agents list are reported all the same.
  const unusable = run.agents.length > 0 ? [] : functions.problems;
  return {
    file,
    madeOf,
    tools: [...functions.tools, ...run.tools],
    exported: [...functions.tools, ...run.exported],
    agents: run.agents,
    problems: [...unusable, ...run.problems],
    warnings: [...functions.warnings, ...run.warnings],
  };
}

/** Whether a file has to be run before its tools are known. */
export function mustRun(compiler: Compiler, path: string): boolean {
  const file = resolve(path);
  return compiler.syntaxErrors(file).length === 0 && holdsValues(outlineFile(compiler, file), file);
}

/** The exports of a file. In JavaScript with declarations beside it, its text has no types: its functions are values, too. */
function outlineFile(compiler: Compiler, file: string): readonly ExportOutline[] {
  const outline = compiler.outline(file);
  const declarations = file.replace(/\.([cm]?)js$/, ".d.$1ts");
  if (declarations === file || !existsSync(declarations)) return outline;
  return outline.map(({ name, place }) => ({ name, place }));
}

function holdsValues(outline: readonly ExportOutline[], file: string): boolean {
  if (outline.length === 0) return exportsAsCommonJs(file);
  return outline.some((entry) => entry.function === undefined);
}

function nothing(file: string): Omit<ToolFile, "madeOf"> {
  return { file, tools: [], exported: [], agents: [], problems: [], warnings: [] };
}

/** What reading functions gives, written ones or those that a module holds. */
export interface FoundTools {
  readonly tools: readonly CheckedTool[];
  readonly problems: readonly Finding[];
  readonly warnings: readonly string[];
}

function readFunctions(
  outline: readonly ExportOutline[],
  descriptions: ReadonlyMap<string, FunctionDescription>,
): FoundTools {
  const tools: CheckedTool[] = [];
  const problems: Finding[] = [];
  const warnings: string[] = [];
  for (const { name: exported, function: source } of outline) {
    const description = descriptions.get(exported);
    if (source === undefined || description === undefined) continue;
    if (description instanceof SchemaNotFoundError) {
      problems.push(...problemsOf(description, source.place));
      continue;
    }
    const {
      name,
      parameters: _plan,
      revive: _revive,
      warnings: partly = [],
      thisType,
      ...facts
    } = description;
    if (thisType !== undefined) {
      problems.push({ message: unboundThisMessage(source.name || name, thisType), place: source.place });
      continue;
    }
    // At run time, a function that is exported under another name keeps its own.
    tools.push({ ...facts, name: source.name || name, source });
    warnings.push(...partly.map((text) => `${name}: ${text}`));
  }
  return { tools, problems, warnings };
}

async function runFile(
  compiler: Compiler,
  path: string,
  outline: readonly ExportOutline[],
  functionTools: readonly CheckedTool[],
): Promise<Omit<ToolFile, "file" | "madeOf">> {
  const file = resolve(path);
  let exports: Readonly<Record<string, unknown>>;
  try {
    await shareModel();
    exports = await importModule(path);
  } catch (error) {
    const place = placeOfFailure(error, file) ?? firstLine(file);
    return { ...nothing(file), problems: [{ message: errorMessage(error), place }] };
  }
  const values =
    outline.length === 0
      ? Object.keys(exports).map((name) => ({ name, place: placeOfExport(file, name) ?? firstLine(file) }))
      : outline.filter((entry) => entry.function === undefined);
  return readModuleTools(
    compiler,
    values.map(({ name, place }) => ({ name, place, value: exports[name] })),
    functionTools,
  );
}

function firstLine(file: string): Place {
  return { file, line: 1, column: 1, length: 1 };
}

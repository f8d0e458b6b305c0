import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Node } from "../compiler/host.ts";
import type { ModuleFormat } from "../plugin/edit.ts";
import { nearestAbove } from "../reflection/cache-folder.ts";
import type { Syntax } from "./imported-names.ts";
import type { SyntaxTree } from "./syntax-tree.ts";

/** The format of an emitted file, or that of a loader which has no `require` of its own. */
export type EmittedFormat = ModuleFormat | "amd" | "system";

/** Tells the format of an emitted file: from its own statements, then its ending, then its package. */
export function readFormat({ syntax, source }: SyntaxTree, path: string): EmittedFormat {
  const { statements, text } = source;
  if (statements.some((statement) => isModuleStatement(syntax, statement))) return "module";
  const loader = statements
    .map((statement) => loaderOf(syntax, statement))
    .find((name) => name !== undefined);
  if (loader !== undefined) return loader;
  if (path.endsWith(".mjs")) return "module";
  if (path.endsWith(".cjs") || /\brequire\s*\(|\bexports\b/.test(text)) return "commonjs";
  return packageFormat(dirname(path));
}

function isModuleStatement(syntax: Syntax, statement: Node): boolean {
  if (
    syntax.isImportDeclaration(statement) ||
    syntax.isExportDeclaration(statement) ||
    syntax.isExportAssignment(statement)
  ) {
    return true;
  }
  return (
    "modifiers" in statement &&
    Array.isArray(statement.modifiers) &&
    statement.modifiers.some(({ kind }) => kind === syntax.SyntaxKind.ExportKeyword)
  );
}

/** `define(["require", ...], ...)` of AMD, `System.register([...], ...)` of SystemJS. */
function loaderOf(syntax: Syntax, statement: Node): "amd" | "system" | undefined {
  if (!syntax.isExpressionStatement(statement) || !syntax.isCallExpression(statement.expression))
    return undefined;
  const callee = statement.expression.expression.getText();
  if (callee === "define") return "amd";
  return callee === "System.register" ? "system" : undefined;
}

function packageFormat(folder: string): ModuleFormat {
  const manifest = nearestAbove(folder, "package.json");
  const text = manifest === undefined ? "" : readFileSync(manifest, "utf8");
  return /"type"\s*:\s*"module"/.test(text) ? "module" : "commonjs";
}

import { basename } from "node:path";
import { SchemaNotFoundError } from "../../errors.ts";
import { displayPath } from "../compiler/diagnostics.ts";
import type { Workspace } from "../compiler/project.ts";
import { createTree, type SyntaxTree } from "./syntax-tree.ts";

/** A text and the path under which it is, or will be, on disk. */
export interface ScriptText {
  readonly path: string;
  readonly text: string;
}

/** Reads scripts with TypeScript's parser, all at once. */
export function parseScripts(workspace: Workspace, scripts: readonly ScriptText[]): readonly string[] {
  return workspace.openTexts(
    scripts.map(({ path, text }) => ({ name: basename(path), text: text.replace(/^\uFEFF/, "") })),
  );
}

/** The tree of a file that TypeScript has read. */
export function treeOf(workspace: Workspace, file: string): SyntaxTree {
  const host = workspace.hostFor(file);
  const source = host.sourceFile(file);
  if (source !== undefined) return createTree(host.syntax, source);
  throw new SchemaNotFoundError(`TypeScript cannot read ${file}.`, { data: { file } });
}

/** What keeps one of several scripts from being read; `undefined` where all can be. */
export function findSyntaxError(workspace: Workspace, scripts: readonly ScriptText[]): string | undefined {
  if (scripts.length === 0) return undefined;
  for (const [index, file] of parseScripts(workspace, scripts).entries()) {
    const [error] = workspace.hostFor(file).syntaxErrors(file);
    if (error !== undefined) return `${displayPath(scripts[index]?.path ?? file)}: ${error.text}`;
  }
  return undefined;
}

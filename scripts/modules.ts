import {
  isCallExpression,
  isExportDeclaration,
  isImportDeclaration,
  isImportTypeNode,
  isLiteralTypeNode,
  isNamedExports,
  isNewExpression,
  isStringLiteral,
  isVariableStatement,
  SyntaxKind,
  type Node,
  type SourceFile,
  type Statement,
} from "typescript/unstable/ast";
import { createVirtualFileSystem } from "typescript/unstable/fs";
import { API } from "typescript/unstable/sync";

/** What the rules of the house ask about a source file. */
export interface SourceModule {
  /** As given to `readModules`, such as `"src/run/loop.ts"`. */
  readonly path: string;
  readonly lines: number;
  /** The specifiers of all imports: of values, of types, and dynamic ones. */
  readonly imports: readonly string[];
  /** Whether it says `new URL(..., import.meta.url)`, which bundlers take for a file to copy. */
  readonly namesAsset: boolean;
  /** The names that the file declares and exports without a doc comment. */
  readonly undocumented: readonly string[];
}

/** Reads modules with TypeScript's own parser. `files` holds their text by path; nothing is read from the disk. */
export function readModules(files: Readonly<Record<string, string>>): SourceModule[] {
  const paths = Object.keys(files);
  const settings = { compilerOptions: { noLib: true, allowImportingTsExtensions: true }, files: paths };
  const virtual = Object.fromEntries(paths.map((path) => [`/${path}`, files[path] ?? ""]));
  const api = new API({
    cwd: "/",
    fs: createVirtualFileSystem({ ...virtual, "/tsconfig.json": JSON.stringify(settings) }),
  });
  try {
    const project = api.updateSnapshot({ openProjects: ["/tsconfig.json"] }).getProject("/tsconfig.json");
    return paths.map((path) => {
      const file = project?.program.getSourceFile(`/${path}`);
      if (file === undefined) throw new Error(`TypeScript did not read ${path}`);
      return {
        path,
        lines: file.text.trimEnd().split("\n").length,
        imports: importsOf(file),
        namesAsset: namesAsset(file),
        undocumented: undocumentedExports(file),
      };
    });
  } finally {
    api.close();
  }
}

function importsOf(file: SourceFile): string[] {
  const found: string[] = [];
  const visit = (node: Node): void => {
    const specifier = specifierOf(node);
    if (specifier !== undefined && isStringLiteral(specifier)) found.push(specifier.text);
    node.forEachChild(visit);
  };
  visit(file);
  return found;
}

function namesAsset(node: Node): boolean {
  if (isNewExpression(node) && node.expression.getText() === "URL") {
    if (node.arguments?.[1]?.getText() === "import.meta.url") return true;
  }
  let found = false;
  node.forEachChild((child) => {
    found ||= namesAsset(child);
  });
  return found;
}

function specifierOf(node: Node): Node | undefined {
  if (isImportDeclaration(node) || isExportDeclaration(node)) return node.moduleSpecifier;
  if (isImportTypeNode(node)) return isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  if (isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword) return node.arguments[0];
  return undefined;
}

function undocumentedExports(file: SourceFile): string[] {
  const documented = new Set<string>();
  const exported = new Set<string>();
  for (const statement of file.statements) {
    const names = declaredNames(statement);
    if (statement.jsDoc?.length) names.forEach((name) => documented.add(name));
    if (isExported(statement)) names.forEach((name) => exported.add(name));
    const clause = isExportDeclaration(statement) && !statement.moduleSpecifier && statement.exportClause;
    if (!clause || !isNamedExports(clause)) continue;
    for (const element of clause.elements) exported.add((element.propertyName ?? element.name).text);
  }
  return [...exported].filter((name) => !documented.has(name));
}

function isExported(statement: Statement): boolean {
  const modifiers = "modifiers" in statement ? statement.modifiers : undefined;
  return Array.isArray(modifiers) && modifiers.some((modifier) => modifier.kind === SyntaxKind.ExportKeyword);
}

function declaredNames(statement: Statement): string[] {
  if (isVariableStatement(statement)) {
    return statement.declarationList.declarations.map((declaration) => declaration.name.getText());
  }
  const name: unknown = "name" in statement ? statement.name : undefined;
  return typeof name === "object" && name !== null && "text" in name ? [String(name.text)] : [];
}

import type { Host, Node, SourceFile } from "../compiler/host.ts";

/** The words of TypeScript's syntax tree. */
export type Syntax = Host["syntax"];

/** Names of a file by what they are imported as: `./tools#add`, `./tools#*` for all of a module. */
export type ImportedNames = ReadonlyMap<string, string>;

/** Reads what a file imports: with `import`, or with `require`, as compilers write it. */
export function importedNames(syntax: Syntax, source: SourceFile): ImportedNames {
  const names = new Map<string, string>();
  for (const statement of source.statements) {
    if (syntax.isImportDeclaration(statement)) readImport(syntax, statement, names);
    else if (syntax.isImportEqualsDeclaration(statement)) {
      const { moduleReference: reference, name } = statement;
      const module = syntax.isExternalModuleReference(reference)
        ? textOf(syntax, reference.expression)
        : undefined;
      if (module !== undefined) names.set(name.text, imported(module, "*"));
    } else if (syntax.isVariableStatement(statement)) {
      for (const declaration of statement.declarationList.declarations)
        readRequire(syntax, declaration, names);
    }
  }
  return names;
}

function readImport(syntax: Syntax, statement: Node, names: Map<string, string>): void {
  if (!syntax.isImportDeclaration(statement)) return;
  const module = textOf(syntax, statement.moduleSpecifier);
  const { importClause: clause } = statement;
  if (module === undefined || clause === undefined) return;
  if (clause.name !== undefined) names.set(clause.name.text, imported(module, "default"));
  const { namedBindings: bindings } = clause;
  if (bindings === undefined) return;
  if (syntax.isNamespaceImport(bindings)) names.set(bindings.name.text, imported(module, "*"));
  else {
    for (const { name, propertyName } of bindings.elements)
      names.set(name.text, imported(module, (propertyName ?? name).text));
  }
}

/** `const tools_1 = require("./tools")`, also within a call: `__importStar(require("./tools"))`. */
function readRequire(syntax: Syntax, declaration: Node, names: Map<string, string>): void {
  if (!syntax.isVariableDeclaration(declaration) || declaration.initializer === undefined) return;
  const module = requiredModule(syntax, declaration.initializer);
  const { name } = declaration;
  if (module === undefined) return;
  if (syntax.isIdentifier(name)) names.set(name.text, imported(module, "*"));
  else if (syntax.isObjectBindingPattern(name)) {
    for (const { name: local, propertyName } of name.elements) {
      if (local === undefined || !syntax.isIdentifier(local)) continue;
      const original = propertyName !== undefined && syntax.isIdentifier(propertyName) ? propertyName : local;
      names.set(local.text, imported(module, original.text));
    }
  }
}

function requiredModule(syntax: Syntax, node: Node): string | undefined {
  if (!syntax.isCallExpression(node)) return undefined;
  const [first] = node.arguments;
  if (first === undefined) return undefined;
  const { expression } = node;
  if (syntax.isIdentifier(expression) && expression.text === "require") return textOf(syntax, first);
  return requiredModule(syntax, first);
}

function textOf(syntax: Syntax, node: Node): string | undefined {
  return syntax.isStringLiteral(node) ? node.text : undefined;
}

/** Compilers write another ending, and leave aliases out: the last part of the address is what stays. */
function imported(module: string, name: string): string {
  const path = module.replace(/\.[cm]?[jt]sx?$/, "").replace(/\/index$/, "");
  const last = path.split("/").at(-1) ?? path;
  return `${last.replace(/^[^\w.]+/, "")}#${name}`;
}

import { isJavaScript } from "./diagnostics.ts";
import { typeReference } from "./type-references.ts";
import type { Host, Node } from "./host.ts";

/** Aliases are followed so far. */
const deepest = 5;

/** What is wrong with a type that a program writes and TypeScript does not find: what its values are is not known. */
export function unresolvedMessage(name: string, file: string): string {
  // What the parser makes of `{}` and `{?}` in a comment.
  if (name === "" || name === "?") return "its type in the comment is empty: write one, such as {string}";
  const problem = `the type ${name} cannot be resolved`;
  const remedy = nodeRemedy(name);
  if (remedy !== undefined) return `${problem}: ${remedy}`;
  if (!/\bToolContext$/.test(name)) return problem;
  return isJavaScript(file)
    ? `${problem}: write import("skein").ToolContext`
    : `${problem}: write import type { ToolContext } from "skein"`;
}

/** Types of Node's, which TypeScript does not read by itself. */
function nodeRemedy(name: string): string | undefined {
  const needsTypes =
    'it is one of Node\'s: npm i -D @types/node, and write "types": ["node"] in the compilerOptions of tsconfig.json';
  if (/^Buffer\b/.test(name)) return "take a Uint8Array, of which a Buffer is one";
  return name.startsWith("NodeJS.") ? needsTypes : undefined;
}

/** The first name in a written type that stands for nothing, as in `Omit<Missing, "id">`, but for the types of functions. */
export function unresolvedName(host: Host, typeNode: Node, depth = 0): string | undefined {
  const { syntax } = host;
  if (depth > deepest || syntax.isFunctionTypeNode(typeNode)) return undefined;
  let name: string | undefined;
  const reference = syntax.isImportTypeNode(typeNode)
    ? typeNode.qualifier
    : typeReference(host, typeNode)?.name;
  if (reference !== undefined) name = unresolvedReference(host, reference, depth);
  typeNode.forEachChild((child) => {
    name ??= unresolvedName(host, child, depth);
  });
  return name;
}

function unresolvedReference(host: Host, name: Node, depth: number): string | undefined {
  const symbol = host.symbolAt(host.syntax.isQualifiedName(name) ? name.right : name);
  if (symbol === undefined || symbol.declarations.length === 0) return name.getText();
  const alias = host.isFromLibrary(symbol) ? undefined : host.declarationOf(symbol);
  if (alias === undefined || !host.syntax.isTypeAliasDeclaration(alias)) return undefined;
  return isOfPackage(alias) ? undefined : unresolvedName(host, alias.type, depth + 1);
}

/** Whether a name that stands for nothing was meant for a `ToolContext`, under whatever name it was imported. */
export function isContextName(name: string, typeNode: Node): boolean {
  const [last = ""] = /[\w$]+$/.exec(name) ?? [];
  if (last === "ToolContext") return true;
  const imported = new RegExp(`\\bToolContext\\s+as\\s+${last.replaceAll("$", "\\$")}(?![\\w$])`);
  return imported.test(typeNode.getSourceFile().text);
}

/** What a package's types lack is left out of them, as far as it may be. */
export function isOfPackage(node: Node): boolean {
  return node.getSourceFile().fileName.includes("/node_modules/");
}

import type { Host, Node, SourceFile } from "./host.ts";
import { shownTags } from "./script-tags.ts";

/** The literals and names of members that code has when it runs: what types may be derived from. */
export function runtimeLiterals(host: Host, code: Node): ReadonlySet<string> {
  const { syntax } = host;
  const literals = new Set<string>();
  visitCode(host, code, (node) => {
    const literal = literalText(host, node);
    if (literal !== undefined) literals.add(literal);
    const isMember =
      syntax.isPropertyAssignment(node) ||
      syntax.isShorthandPropertyAssignment(node) ||
      syntax.isEnumMember(node) ||
      syntax.isMethodDeclaration(node);
    if (isMember && syntax.isIdentifier(node.name)) literals.add(node.name.text);
  });
  return literals;
}

/** All literals and names of a JavaScript text. */
export function runtimeNames(host: Host, source: SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  visitCode(host, source, (node) => {
    const name = host.syntax.isIdentifier(node) ? node.text : literalText(host, node);
    if (name !== undefined) names.add(name);
  });
  return names;
}

function literalText({ syntax }: Host, node: Node): string | undefined {
  if (syntax.isStringLiteral(node) || syntax.isNoSubstitutionTemplateLiteral(node)) {
    return shownTags(node.text);
  }
  return syntax.isNumericLiteral(node) ? String(Number(node.text)) : undefined;
}

function visitCode({ syntax }: Host, code: Node, use: (node: Node) => void): void {
  function visit(node: Node): void {
    const isErased =
      (syntax.isTypeNode(node) && !syntax.isExpressionWithTypeArguments(node)) ||
      syntax.isInterfaceDeclaration(node) ||
      syntax.isTypeAliasDeclaration(node) ||
      syntax.isImportDeclaration(node);
    if (isErased) return;
    use(node);
    node.forEachChild(visit);
  }
  visit(code);
}

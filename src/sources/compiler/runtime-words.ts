import type { FunctionLikeDeclaration, Host, Node } from "./host.ts";

/** The names and literals of a function's source that are still there when it runs, in order: those of no type. */
export function runtimeWords({ syntax }: Host, node: FunctionLikeDeclaration): string {
  const words: string[] = [];
  function visit(child: Node): void {
    const isType =
      (syntax.isTypeNode(child) && !syntax.isExpressionWithTypeArguments(child)) ||
      syntax.isTypeParameterDeclaration(child) ||
      syntax.isInterfaceDeclaration(child) ||
      syntax.isTypeAliasDeclaration(child);
    const isThis =
      syntax.isParameterDeclaration(child) && syntax.isIdentifier(child.name) && child.name.text === "this";
    if (isType || isThis || syntax.isModifier(child)) return;
    let isLeaf = true;
    child.forEachChild((inner) => {
      isLeaf = false;
      visit(inner);
    });
    if (isLeaf) words.push(child.getText());
  }
  node.forEachChild(visit);
  return words.join(" ");
}

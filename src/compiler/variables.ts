import type { Node } from "./host.ts";

/** Whether variables are declared only, and made elsewhere. */
export function isAmbient(list: Node): boolean {
  return list.getSourceFile().isDeclarationFile || /^(?:export\s+)?declare\b/.test(list.parent.getText());
}

/** Whether a list of variables is declared with `const`. */
export function isConstant(list: Node): boolean {
  return list.getText().startsWith("const ");
}

/** Whether a list or record is changed within the file that makes it. Told by its text: enough for what people write. */
export function isChanged(declaration: Node, name: string): boolean {
  const word = name.replaceAll("$", "\\$");
  const change = "\\s*\\.\\s*(?:push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin)\\s*\\(";
  const assignment = "\\s*(?:\\.\\s*[\\w$]+|\\[[^\\]]*\\])\\s*=(?!=|>)";
  return new RegExp(`(?<![\\w$.])${word}(?:${change}|${assignment})`).test(declaration.getSourceFile().text);
}

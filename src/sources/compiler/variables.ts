import type { Node } from "./host.ts";

/** Whether variables are declared only, and made elsewhere. */
export function isAmbient(list: Node): boolean {
  return list.getSourceFile().isDeclarationFile || /^(?:export\s+)?declare\b/.test(list.parent.getText());
}

/** Whether a list of variables is declared with `const`. */
export function isConstant(list: Node): boolean {
  return list.getText().startsWith("const ");
}

/** Whether a list or record is changed within the file that creates it. Decided by the text, which suffices for usual code. */
export function isChanged(declaration: Node, name: string): boolean {
  const { text } = declaration.getSourceFile();
  const names = new Set([name]);
  // A set that grows while it is walked: an alias may have another.
  for (const each of names) {
    if (hasChange(text, each)) return true;
    for (const alias of aliasesOf(text, each)) names.add(alias);
  }
  return false;
}

/** Whether a variable gets another value within some code. Decided by the text, which may see too much. */
export function isAssigned(code: Node, name: string): boolean {
  return new RegExp(`${wordOf(name)}\\s*(?:[-+*/%&|^?<>]{1,3})?=(?!=|>)|[\\]}]\\s*=(?!=|>)`).test(
    code.getText(),
  );
}

const methods = "push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin";
const functions =
  "Object\\.assign|(?:Object|Reflect)\\.definePropert(?:y|ies)|Reflect\\.(?:set|deleteProperty)";

function hasChange(text: string, name: string): boolean {
  const word = wordOf(name);
  const member = "(?:\\s*(?:\\.\\s*[\\w$]+|\\[[^\\]]*\\]))+";
  const ways = [
    `${word}\\s*\\.\\s*(?:${methods})\\b`,
    `${word}${member}\\s*(?:[|&?]{2})?=(?!=|>)`,
    `(?:${functions})\\s*\\(\\s*${word}\\b`,
    `\\bdelete\\s+${word}${member}`,
    ...destructuringWays(`(?<!\\btypeof\\s+)${word}${member}`),
  ];
  return new RegExp(ways.join("|")).test(text);
}

/** `[list[0], list[1]] = pair` and `({ first: list[0] } = record)`: a pattern that only declares names has no members in it. */
function destructuringWays(target: string): readonly string[] {
  const others = "(?:[^=;()\\[\\]{}]|\\[[^\\[\\]]*\\])*";
  const isValue = "(?<![\\w$)\\]]\\s*)";
  return [
    `${isValue}\\[${others}${target}${others}\\]\\s*=(?!=|>)`,
    `\\{${others}:\\s*${target}${others}\\}\\s*=(?!=|>)`,
  ];
}

/** The other names of a value: `const all = tools;`. */
function aliasesOf(text: string, name: string): readonly string[] {
  const alias = new RegExp(
    `\\b(?:const|let|var)\\s+([\\w$]+)\\s*(?::[^=;]*)?=\\s*${wordOf(name)}(?=\\s*(?:[;,\\n]|as\\b|$))`,
    "g",
  );
  return [...text.matchAll(alias)].flatMap(([, other]) => other ?? []);
}

function wordOf(name: string): string {
  return `(?<![\\w$.])${name.replaceAll("$", "\\$")}(?![\\w$])`;
}

/**
 * The program that a page shows first: its first TypeScript block that makes an agent.
 * @throws Error if there is none.
 */
export function firstProgram(markdown: string): string {
  const fence = /^(?<fence>`{3,})(?:ts|typescript)\b[^\n]*\n(?<code>[\s\S]*?)^\k<fence>\s*$/gm;
  for (const { groups } of markdown.replaceAll("\r\n", "\n").matchAll(fence)) {
    if (groups?.["code"]?.includes("new Agent")) return groups["code"];
  }
  throw new Error("the page has no TypeScript block with `new Agent`");
}

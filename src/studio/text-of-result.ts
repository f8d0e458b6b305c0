import type { ToolResult } from "../message/messages.ts";

/** What the model reads of a result. */
export function textOfResult({ content }: Pick<ToolResult, "content">): string {
  return content
    .map((part) => ("text" in part ? part.text : `[${part.type}: ${part.url.slice(0, 80)}]`))
    .join("\n");
}

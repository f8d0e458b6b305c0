import { editNote } from "../executor/approved-call.ts";
import type { ToolResult } from "../message/messages.ts";

/** What the model reads of a result. */
export function textOfResult({ content }: Pick<ToolResult, "content">): string {
  return content
    .map((part) => ("text" in part ? part.text : `[${part.type}: ${part.url.slice(0, 80)}]`))
    .join("\n");
}

/** The arguments that a person has approved a call with, if the note at its end says that these are not the model's. */
export function editedArguments({ content }: Pick<ToolResult, "content">): string | undefined {
  const note = content.at(-1);
  const start = editNote({ arguments: "" });
  return content.length > 1 && note?.type === "text" && note.text.startsWith(start)
    ? note.text.slice(start.length)
    : undefined;
}

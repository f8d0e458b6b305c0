import type { ToolResult } from "../../message/messages.ts";
import type { JsonValue } from "../../base/util/json.ts";
import type { ShowOptions } from "./show.ts";

/** What a client sees of the result of a call. */
export interface PublicResult {
  readonly isError: boolean;
  /** The text that the model sees. */
  readonly text: string;
  /** The tool's JSON value, else the text. */
  readonly value: JsonValue;
}

/** What a tool threw is not for clients, unless they may see it. What Skein says of a call is: wrong arguments, a denial, a timeout. */
export function publicResult(result: ToolResult, show: Required<ShowOptions>): PublicResult {
  const { isError, outcome, content, structuredContent } = result;
  if (outcome === "error" && !show.toolErrors)
    return { isError: true, text: "The tool failed.", value: "The tool failed." };
  if (!show.toolResults && !isError) return { isError, text: "", value: null };
  const text = content.map((part) => ("text" in part ? part.text : `[${part.type}]`)).join("\n");
  return { isError, text, value: structuredContent ?? text };
}

import { toJson } from "../../base/util/to-json.ts";
import type { RunEvent } from "../../run/types.ts";
import { formatArguments, printable } from "../text.ts";

/** What a run asks a person. */
export type ApprovalRequested = Extract<RunEvent, { readonly type: "approval-request" }>;

/** How much of the arguments is shown at once, in characters. */
const longestPage = 20_000;

/** The arguments to be decided on, on one line, in pages: as the tool would get them, or as the model wrote them if JSON loses some. */
export function argumentPages({
  toolCall,
  input,
}: Pick<ApprovalRequested, "toolCall" | "input">): readonly string[] {
  const { value, notes } = toJson(input);
  const text = formatArguments(notes.length === 0 ? JSON.stringify(value) : toolCall.arguments);
  const line = printable(text).replaceAll(/\s+/g, " ").trim();
  const pages = Array.from({ length: Math.ceil(line.length / longestPage) }, (_, page) =>
    line.slice(page * longestPage, (page + 1) * longestPage),
  );
  return pages.length === 0 ? [""] : pages;
}

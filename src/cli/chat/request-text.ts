import { toJson } from "../../base/util/to-json.ts";
import type { RunEvent } from "../../run/types.ts";
import { exactText } from "../../base/util/exact-text.ts";
import { formatArguments } from "../text.ts";

/** What a run asks a person. */
export type ApprovalRequested = Extract<RunEvent, { readonly type: "approval-request" }>;

/** How much is shown at once, in characters, none of them cut in two. */
const page = /[^]{1,20000}/gu;

/** A text that a person decides about, on one line, in pages, nothing hidden or left out. */
export function pagesOf(text: string): readonly string[] {
  return exactText(text).match(page) ?? [""];
}

/** The arguments to be decided on, in pages: as the tool would get them, or as the model wrote them if JSON loses some. */
export function argumentPages({
  toolCall,
  input,
}: Pick<ApprovalRequested, "toolCall" | "input">): readonly string[] {
  const { value, notes } = toJson(input);
  return pagesOf(formatArguments(notes.length === 0 ? JSON.stringify(value) : toolCall.arguments));
}

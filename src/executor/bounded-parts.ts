import type { Part } from "../message/parts.ts";
import { assertParts } from "../model/assert-parts.ts";
import { cutText } from "../base/util/cut-text.ts";
import { notePart } from "./notes.ts";

/** How many characters of an image or a file weigh as much as one of text. */
const urlWeight = 32;

/**
 * Copies of the parts, together no longer than `limit` characters of text; those of images and files count a 32nd each.
 * What does not fit is cut or, if it is not text, left out with a line that says so.
 */
export function boundedParts(content: readonly Part[], limit: number): readonly Part[] {
  assertParts(content, "result({ content })");
  const parts: Part[] = [];
  let room = limit;
  for (const part of content) {
    if (room <= 0) {
      // Text may be among them: that it is missing is part of the value.
      parts.push({ type: "text", text: `[${content.length - parts.length} parts left out]` });
      break;
    }
    parts.push(bounded(part, room));
    room -= weight(part);
  }
  return parts;
}

function bounded(part: Part, room: number): Part {
  if ("text" in part) return { ...part, text: cutText(part.text, room) };
  if (weight(part) <= room) return { ...part };
  return notePart(`[${part.type} of ${part.url.length} characters left out]`);
}

function weight(part: Part): number {
  // A part that costs nothing could come without end.
  return 1 + ("text" in part ? part.text.length : part.url.length / urlWeight);
}

import type { Part } from "../message/parts.ts";

/** A part that tells the model something about a result. */
export function notePart(text: string): Part {
  return { type: "text", text, note: true };
}

/** Whether a part tells the model something about a result, and is not of its value. */
export function isNote(part: Part): boolean {
  return part.type === "text" && part.note === true;
}

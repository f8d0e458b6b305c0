import type { PostAnswer } from "../../../model/http.ts";
import type { JsonObject } from "../../../base/util/json.ts";
import { asIndex, asObject, asText, isJsonObject, wholeArguments } from "../../kit/json-values.ts";

/** A piece of a call, from one entry of `delta.tool_calls`. Missing fields are empty. */
export interface CallPiece {
  readonly index: number | undefined;
  /** Whether there is something else in the place of the index. */
  readonly isMisnumbered: boolean;
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  /** Fields outside the protocol that must be sent back, such as Gemini's thought signatures. */
  readonly extra: JsonObject | undefined;
}

/** Reads an entry. @throws MalformedResponseError if its arguments are neither text nor an object, or come under another name */
export function callPieceOf(entry: JsonObject, answer: PostAnswer): CallPiece {
  const call = asObject(entry["function"]);
  const hasNeither = call["name"] === undefined && call["arguments"] === undefined;
  if (hasNeither && Object.keys(call).length > 0)
    throw answer.malformed("sent a piece of a call that cannot be read.");
  const extra = entry["extra_content"];
  const index = asIndex(entry["index"]);
  return {
    index,
    isMisnumbered: index === undefined && (entry["index"] ?? undefined) !== undefined,
    id: asText(entry["id"]),
    name: asText(call["name"]),
    arguments: wholeArguments(call["arguments"], answer),
    extra: isJsonObject(extra) ? { extra_content: extra } : undefined,
  };
}

/**
 * How much of one JSON object a text is: nothing; something that does not begin as one; its beginning; all of it; or all of it, and
 * more after it.
 */
export type ArgumentsShape = "empty" | "rest" | "open" | "whole" | "more";

/** The shape of a call's arguments, by their brackets: whether they can be parsed is for the tool's result to say. */
export function shapeOfArguments(text: string): ArgumentsShape {
  const trimmed = text.trim();
  if (trimmed === "") return "empty";
  if (!trimmed.startsWith("{")) return "rest";
  let depth = 0;
  for (let place = 0; place < trimmed.length; place++) {
    const character = trimmed[place];
    if (character === '"') place = endOfString(trimmed, place);
    else if (character === "{" || character === "[") depth++;
    else if ((character === "}" || character === "]") && --depth === 0)
      return place === trimmed.length - 1 ? "whole" : "more";
  }
  return "open";
}

/** Where a string ends that begins at `start`. */
function endOfString(text: string, start: number): number {
  let place = start + 1;
  while (place < text.length && text[place] !== '"') place += text[place] === "\\" ? 2 : 1;
  return place;
}

import type { ToolResult } from "../../message/messages.ts";
import { asObject, asText } from "../kit/json-values.ts";
import { describeOfResult } from "../kit/media.ts";
import { inputParts, type PartTarget, type WirePart } from "./parts.ts";

/** The media types that a `functionResponse` may contain (https://ai.google.dev/gemini-api/docs/function-calling). */
const typesInResults: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/webp",
  "application/pdf",
  "text/plain",
]);

/**
 * Translates the result of a call: the `functionResponse` first, then the media that it cannot contain. The text is its `output`, or its
 * `error` if the call failed.
 */
export function resultParts(
  result: ToolResult,
  call: { readonly id: string; readonly name: string },
  context: PartTarget & { readonly mediaInResults: boolean },
): WirePart[] {
  const { content, isError } = result;
  const refuse = describeOfResult("The Gemini API", context.warn);
  const parts = inputParts(content, `a result of ${call.name}`, context, refuse);
  const texts = parts.flatMap(({ text }) => (typeof text === "string" ? [text] : []));
  const media = parts.filter(({ text }) => typeof text !== "string");
  const included = context.mediaInResults ? media.filter(fitsInResult) : [];
  const following = media.filter((part) => !included.includes(part));
  return [
    {
      functionResponse: {
        ...call,
        response: { [isError ? "error" : "output"]: texts.join("\n") },
        ...(included.length > 0 && { parts: included }),
      },
    },
    ...(following.length > 0 ? [{ text: `From the result of ${call.name}:` }, ...following] : []),
  ];
}

function fitsInResult(part: WirePart): boolean {
  return typesInResults.has(asText(asObject(part["inlineData"])["mimeType"]));
}

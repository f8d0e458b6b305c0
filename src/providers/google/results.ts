import type { ToolResult } from "../../message/messages.ts";
import { asObject, asText } from "../kit/json-values.ts";
import { inputParts, type PartTarget, type WirePart } from "./parts.ts";

/** The media types that a `functionResponse` may hold (https://ai.google.dev/gemini-api/docs/function-calling). */
const typesInResults: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/webp",
  "application/pdf",
  "text/plain",
]);

/**
 * The result of a call as the API takes it: the `functionResponse` first, then the media that it cannot hold. Its text is the `output`, or the
 * `error` of a call that failed.
 */
export function resultParts(
  result: ToolResult,
  call: { readonly id: string; readonly name: string },
  context: PartTarget & { readonly mediaInResults: boolean },
): WirePart[] {
  const { content, isError } = result;
  const parts = inputParts(content, `a result of ${call.name}`, context);
  const texts = parts.flatMap(({ text }) => (typeof text === "string" ? [text] : []));
  const media = parts.filter(({ text }) => typeof text !== "string");
  const inside = context.mediaInResults ? media.filter(fitsInResult) : [];
  const outside = media.filter((part) => !inside.includes(part));
  return [
    {
      functionResponse: {
        ...call,
        response: { [isError ? "error" : "output"]: texts.join("\n") },
        ...(inside.length > 0 && { parts: inside }),
      },
    },
    ...(outside.length > 0 ? [{ text: `From the result of ${call.name}:` }, ...outside] : []),
  ];
}

function fitsInResult(part: WirePart): boolean {
  return typesInResults.has(asText(asObject(part["inlineData"])["mimeType"]));
}

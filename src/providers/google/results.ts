import type { ToolResult } from "../../message/messages.ts";
import { asObject, asText } from "../kit/json-values.ts";
import type { ToolNames } from "../kit/tool-names.ts";
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
 * A result as the API takes it: the `functionResponse` first, then the media that it cannot hold. Its text is the `output`, or the
 * `error` of a call that failed.
 */
export function resultParts(
  result: ToolResult,
  wireId: string,
  context: PartTarget & { readonly names: ToolNames; readonly mediaInResults: boolean },
): WirePart[] {
  const { toolName, content, isError } = result;
  const parts = inputParts(content, `a result of ${toolName}`, context);
  const texts = parts.flatMap(({ text }) => (typeof text === "string" ? [text] : []));
  const media = parts.filter(({ text }) => typeof text !== "string");
  const inside = context.mediaInResults ? media.filter(fitsInResult) : [];
  const outside = media.filter((part) => !inside.includes(part));
  return [
    {
      functionResponse: {
        id: wireId,
        name: context.names.toWire(toolName),
        response: { [isError ? "error" : "output"]: texts.join("\n") },
        ...(inside.length > 0 && { parts: inside }),
      },
    },
    ...(outside.length > 0 ? [{ text: `From the result of ${toolName}:` }, ...outside] : []),
  ];
}

function fitsInResult(part: WirePart): boolean {
  return typesInResults.has(asText(asObject(part["inlineData"])["mimeType"]));
}

import type { JsonObject } from "../../base/util/json.ts";
import type { ToolResult } from "../../message/messages.ts";
import type { AssistantPart, Part } from "../../message/parts.ts";
import { publicResult } from "../../run/public/public-result.ts";
import type { ShowOptions } from "../../run/public/show.ts";
import type { AgUiContent, AgUiPart } from "./types.ts";

/** The result of a call as a client sees it: text, or parts where there is more than text. */
export function resultContent(result: ToolResult, show: Required<ShowOptions>): AgUiContent {
  const isWhole = show.toolResults && !(result.outcome === "error" && !show.toolErrors);
  return isWhole && result.content.some(hasAddress)
    ? partsOf(result.content)
    : publicResult(result, show).text;
}

/** How a client sees that a call has failed: the events of AG-UI have no field for it. */
export function resultMetadata({ isError, outcome }: ToolResult): JsonObject | undefined {
  return isError ? { skein: { isError, outcome } } : undefined;
}

/** The content of a user's message. */
export function userContent(content: string | readonly Part[]): AgUiContent {
  if (typeof content === "string") return content;
  return content.some(hasAddress) ? partsOf(content) : textOfParts(content);
}

/** The text of parts, in one piece. */
export function textOfParts(parts: readonly AssistantPart[]): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function hasAddress({ type }: Part): boolean {
  return type === "image" || type === "file";
}

function partsOf(parts: readonly Part[]): readonly AgUiPart[] {
  return parts.flatMap((part): readonly AgUiPart[] => {
    if (part.type === "text") return [{ type: "text", text: part.text }];
    return part.type === "reasoning" ? [] : [mediaPart(part)];
  });
}

const dataUrl = /^data:([^,]*?)(?:;base64),/;

function mediaPart({ type, url, mediaType }: Extract<Part, { readonly url: string }>): AgUiPart {
  const data = dataUrl.exec(url);
  const mimeType = mediaType ?? (data?.[1] === "" ? undefined : data?.[1]);
  const source = data
    ? ({
        type: "data",
        value: url.slice(data[0].length),
        mimeType: mimeType ?? "application/octet-stream",
      } as const)
    : ({ type: "url", value: url, ...(mimeType !== undefined && { mimeType }) } as const);
  if (type === "image") return { type, source };
  const kind = mimeType?.split("/")[0];
  return { type: kind === "audio" || kind === "video" || kind === "image" ? kind : "document", source };
}

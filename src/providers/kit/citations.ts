import type { JsonObject, JsonValue } from "../../base/util/json.ts";
import type { AssistantPart } from "../../message/parts.ts";
import { asNumber, asObject, asObjects, asText, isJsonObject } from "./json-values.ts";
import { withTexts } from "./hosted-calls/shape.ts";

/** What a part of an answer is based on, as the provider says. */
export interface Citation {
  /** The `provider` of the model, such as `"anthropic"`. */
  readonly provider: string;
  /** The piece of the answer. */
  readonly text: string;
  readonly url?: string;
  readonly title?: string;
  readonly fileId?: string;
  /** What the source says, where the provider shows that. */
  readonly quote?: string;
  /** The citation as the provider wrote it. */
  readonly raw: JsonValue;
}

/** What the parts of an answer are based on. What has an unknown form is left out. */
export function citationsIn(parts: readonly AssistantPart[]): readonly Citation[] {
  return parts.flatMap((part): readonly Citation[] => {
    const { provider, data } = part.providerData ?? {};
    if (provider === undefined || !isJsonObject(data)) return [];
    const references =
      part.type === "text" ? ofText(part.text, data) : part.type === "provider" ? ofSources(data) : [];
    return references.map((citation) => ({ ...citation, provider }));
  });
}

type Reference = Omit<Citation, "provider">;

function ofText(text: string, { citations, content }: JsonObject): readonly Reference[] {
  return [
    ...asObjects(citations).map((raw) => anthropicCitation(text, raw)),
    ...asObjects(asObject(content)["annotations"]).map((raw) => openaiAnnotation(text, raw)),
  ];
}

/** https://platform.claude.com/docs/en/build-with-claude/citations */
function anthropicCitation(text: string, raw: JsonObject): Reference {
  const fields = {
    url: raw["url"] ?? raw["source"],
    title: raw["title"] ?? raw["document_title"],
    fileId: raw["file_id"],
    quote: raw["cited_text"],
  };
  return { text, ...withTexts(fields), raw };
}

/** https://platform.openai.com/docs/api-reference/responses/object: a file is cited after its piece, without saying where that begins. */
function openaiAnnotation(text: string, raw: JsonObject): Reference {
  const [start, end] = [asNumber(raw["start_index"]), asNumber(raw["end_index"])];
  const piece = start === undefined || end === undefined ? text : text.slice(start, end);
  const fields = { url: raw["url"], title: raw["title"] ?? raw["filename"], fileId: raw["file_id"] };
  return { text: piece, ...withTexts(fields), raw };
}

/** https://ai.google.dev/api/generate-content#GroundingSupport */
function ofSources({ metadata }: JsonObject): readonly Reference[] {
  const grounding = asObject(asObject(metadata)["groundingMetadata"]);
  const chunks = Array.isArray(grounding["groundingChunks"]) ? grounding["groundingChunks"] : [];
  return asObjects(grounding["groundingSupports"]).flatMap((support) => {
    const text = asText(asObject(support["segment"])["text"]);
    const places = Array.isArray(support["groundingChunkIndices"]) ? support["groundingChunkIndices"] : [];
    return places.flatMap((place): readonly Reference[] => {
      const chunk: unknown = typeof place === "number" ? chunks[place] : undefined;
      return isJsonObject(chunk) ? [googleSource(text, chunk)] : [];
    });
  });
}

function googleSource(text: string, raw: JsonObject): Reference {
  const source = Object.values(raw).find((value) => isJsonObject(value));
  const { uri, sourceUri, title, documentName, text: quote } = source ?? {};
  return { text, ...withTexts({ url: uri ?? sourceUri, title, fileId: documentName, quote }), raw };
}

import type { JsonObject } from "../../../base/util/json.ts";
import type { AssistantPart } from "../../../message/parts.ts";
import { isJsonObject } from "../json-values.ts";
import { readAiSdkCall } from "./ai-sdk.ts";
import { readAnthropicCall } from "./anthropic.ts";
import { readGoogleCall } from "./google.ts";
import { readOpenAICall } from "./openai.ts";
import type { HostedCallReader, OpenCalls, ReadCall } from "./shape.ts";

/**
 * Reads one part of an answer, whichever provider wrote it.
 * @returns The calls that begin or end with it, as they stand then: of one call, `raw[0]` is always the same object.
 */
export function readHostedCalls({ type, providerData }: AssistantPart, open: OpenCalls): readonly ReadCall[] {
  if ((type !== "provider" && type !== "image") || !isJsonObject(providerData?.data)) return [];
  const { data } = providerData;
  return readerOf(data)(data, open);
}

/** The forms of the providers do not overlap, and a compatible server has a name of its own. */
function readerOf(data: JsonObject): HostedCallReader {
  if (Object.hasOwn(data, "item")) return readOpenAICall;
  const { type } = data;
  if (type === "tool-call" || type === "tool-result") return readAiSdkCall;
  return typeof type === "string" ? readAnthropicCall : readGoogleCall;
}

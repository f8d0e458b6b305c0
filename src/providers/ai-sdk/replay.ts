import { isDataUrl } from "../kit/data-url.ts";
import type { JsonObject } from "../../base/util/json.ts";
import { isJsonObject, objectIn, stringIn } from "../kit/json-values.ts";
import type { AssistantPrompt, FileData, ProviderOptions, ResultOutput } from "./prompt-types.ts";

/** The metadata by which a provider recognizes its part, in the field of prompts. */
export function replayedOptions(own: JsonObject | undefined): { readonly providerOptions?: ProviderOptions } {
  const metadata = Object.entries(objectIn(own, "metadata") ?? {});
  const options = metadata.filter((entry): entry is [string, JsonObject] => isJsonObject(entry[1]));
  return options.length === 0 ? {} : { providerOptions: Object.fromEntries(options) };
}

/** Translates a provider part. Sources and similar parts are for the reader, and not sent back. */
export function replayedPart(own: JsonObject): AssistantPrompt[] {
  const options = replayedOptions(own);
  const toolCallId = stringIn(own, "toolCallId") ?? "";
  const toolName = stringIn(own, "toolName") ?? "";
  switch (stringIn(own, "type") ?? "") {
    case "tool-call":
      return [
        {
          type: "tool-call",
          toolCallId,
          toolName,
          input: own["input"] ?? {},
          providerExecuted: true,
          ...options,
        },
      ];
    case "tool-result":
      return [{ type: "tool-result", toolCallId, toolName, output: outputOf(own), ...options }];
    case "reasoning-file": {
      const mediaType = stringIn(own, "mediaType") ?? "";
      return [{ type: "reasoning-file", data: dataOf(stringIn(own, "url") ?? ""), mediaType, ...options }];
    }
    case "custom": {
      const kind = stringIn(own, "kind");
      return isKind(kind) ? [{ type: "custom", kind, ...options }] : [];
    }
    default:
      return [];
  }
}

function outputOf(own: JsonObject): ResultOutput {
  const value = own["result"] ?? null;
  return { type: own["isError"] === true ? "error-json" : "json", value };
}

/** The content of a `data:` URL, or any other URL as an address. */
export function dataOf(url: string): FileData {
  const address = isDataUrl(url) ? null : URL.parse(url);
  return address ? { type: "url", url: address } : { type: "data", data: url.slice(url.indexOf(",") + 1) };
}

function isKind(kind: string | undefined): kind is `${string}.${string}` {
  return kind?.includes(".") === true;
}

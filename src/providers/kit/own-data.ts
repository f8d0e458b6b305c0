import type { ProviderData } from "../../message/parts.ts";
import type { JsonObject } from "../../base/util/json.ts";

/** The data of a part, if `provider` wrote it: only that provider gets it back. */
export function ownData(data: ProviderData | undefined, provider: string): JsonObject | undefined {
  return data?.provider === provider && isObject(data.data) ? data.data : undefined;
}

function isObject(value: ProviderData["data"]): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

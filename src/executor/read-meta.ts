import { isPlainObject, type JsonObject, type JsonValue } from "../base/util/json.ts";
import type { ToolCall } from "../message/messages.ts";
import { toJson } from "../base/util/to-json.ts";

/**
 * What a tool returned for the page that shows its call, as plain JSON: all of it or none.
 * @param warn - Called for what cannot be passed on. The result stands all the same, and the model need not know.
 */
export function readMeta(
  { toolName }: ToolCall,
  meta: unknown,
  warn: (message: string) => void,
): JsonObject | undefined {
  const read = wholeJson(meta);
  if (isPlainObject(meta) && read !== undefined && isJsonObject(read)) return read;
  warn(
    `${toolName} returned result({ meta }) that was not passed on. Return a plain object of at most 1,048,576 characters of JSON.`,
  );
  return undefined;
}

/** `undefined` for what JSON does not hold whole. */
function wholeJson(meta: unknown): JsonValue | undefined {
  try {
    const { value, isCut, opaque } = toJson(meta);
    return isCut || opaque.length > 0 ? undefined : value;
  } catch {
    // A getter that throws: the result itself stands.
    return undefined;
  }
}

function isJsonObject(value: JsonValue): value is JsonObject {
  return isPlainObject(value);
}

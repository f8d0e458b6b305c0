import type { OutputSpec } from "../../model/types.ts";
import { isPlainObject, type JsonObject } from "../../base/util/json.ts";
import type { OfflineConversation } from "./conversation.ts";
import { fillArguments } from "./fill-arguments.ts";

/**
 * An answer for an output schema, as JSON: values of the same name from tool results, then values from the user's message, and
 * `words` for any other required text. Nothing else is invented: an answer that needs another number is invalid.
 */
export function wordOutput(
  { name, schema }: OutputSpec,
  conversation: OfflineConversation,
  words: string,
): string {
  const collected = resultsOf(conversation, schema["properties"]);
  const { arguments: filled, missing } = fillArguments(
    conversation.request,
    { name, inputSchema: schema },
    collected,
  );
  const open = missing.filter(
    ({ type, options, format }) => type === "string" && options.length === 0 && format === undefined,
  );
  return JSON.stringify({ ...filled, ...Object.fromEntries(open.map((text) => [text.name, words])) });
}

function resultsOf({ recentCalls }: OfflineConversation, properties: unknown): JsonObject {
  const names = isPlainObject(properties) ? properties : {};
  const values = recentCalls.flatMap(({ result }) => {
    const value = result?.isError ? undefined : result?.structuredContent;
    return isPlainObject(value) ? Object.entries(value) : [];
  });
  return Object.fromEntries(values.filter(([name]) => Object.hasOwn(names, name)));
}

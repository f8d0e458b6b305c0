import type { OutputSpec } from "../../model/types.ts";
import { isPlainObject, type JsonObject } from "../../base/util/json.ts";
import type { OfflineConversation } from "./conversation.ts";
import { fillArguments } from "./fill-arguments.ts";

/**
 * An answer of the form that is asked for, as JSON: what tools gave back under the same names, then what the user said, and
 * `words` for a text that neither tells. Nothing else is made up: without a number that it needs, the answer is wrong.
 */
export function wordOutput(
  { name, schema }: OutputSpec,
  conversation: OfflineConversation,
  words: string,
): string {
  const known = resultsOf(conversation, schema["properties"]);
  const { arguments: filled, missing } = fillArguments(
    conversation.request,
    { name, inputSchema: schema },
    known,
  );
  const open = missing.filter(
    ({ type, options, format }) => type === "string" && options.length === 0 && format === undefined,
  );
  return JSON.stringify({ ...filled, ...Object.fromEntries(open.map((text) => [text.name, words])) });
}

function resultsOf({ made }: OfflineConversation, properties: unknown): JsonObject {
  const names = isPlainObject(properties) ? properties : {};
  const values = made.flatMap(({ result }) => {
    const value = result?.isError ? undefined : result?.structuredContent;
    return isPlainObject(value) ? Object.entries(value) : [];
  });
  return Object.fromEntries(values.filter(([name]) => Object.hasOwn(names, name)));
}

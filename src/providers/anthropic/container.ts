import type { Message } from "../../message/messages.ts";
import type { JsonObject } from "../../base/util/json.ts";
import { isJsonObject, stringIn } from "../kit/json-values.ts";

/** The type of the provider part that stores a container. No block of the API has this type. */
export const containerType = "container";

/**
 * The `container` of a request, which continues in the container where the API's own tools worked before
 * (https://platform.claude.com/docs/en/agents-and-tools/tool-use/code-execution-tool). It is set if `providerTools` or `providerOptions`
 * offer such tools again and the container has not expired, in addition to the caller's own `container` fields.
 */
export function containerField(
  history: readonly Message[],
  { provider, providerTools = [] }: { readonly provider: string; readonly providerTools?: readonly object[] },
  { tools, container: requested }: JsonObject,
): { readonly container?: JsonObject | string } {
  const hasTools = providerTools.length > 0 || Array.isArray(tools);
  if (!hasTools || typeof requested === "string") return {};
  for (let index = history.length - 1; index >= 0; index--) {
    const container = containerIn(history[index], provider);
    const id = stringIn(container, "id");
    if (id === undefined) continue;
    const isOver = Date.parse(stringIn(container, "expires_at") ?? "") <= Date.now();
    return isOver ? {} : { container: isJsonObject(requested) ? { id } : id };
  }
  return {};
}

function containerIn(message: Message | undefined, provider: string): JsonObject | undefined {
  if (message?.role !== "assistant") return undefined;
  for (const part of message.content) {
    if (part.type !== "provider" || part.providerData.provider !== provider) continue;
    const { data } = part.providerData;
    if (isJsonObject(data) && data["type"] === containerType) return data;
  }
  return undefined;
}

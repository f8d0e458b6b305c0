import type { Message } from "../../message/messages.ts";
import type { JsonObject } from "../../base/util/json.ts";
import { isJsonObject, stringIn } from "../kit/json-values.ts";

/** The type of the part that keeps a container; no block of the API's is called that. */
export const containerType = "container";

/**
 * The `container` of a request that goes on where the API's own tools have worked: what they were amid is in there
 * (https://platform.claude.com/docs/en/agents-and-tools/tool-use/code-execution-tool). It is named where the caller offers
 * such tools again (in `providerOptions`) and it has not expired, beside what else the caller asks of it.
 */
export function containerField(
  history: readonly Message[],
  provider: string,
  { tools, container: wanted }: JsonObject,
): { readonly container?: JsonObject | string } {
  if (!Array.isArray(tools) || typeof wanted === "string") return {};
  for (let index = history.length - 1; index >= 0; index--) {
    const container = containerIn(history[index], provider);
    const id = stringIn(container, "id");
    if (id === undefined) continue;
    const isOver = Date.parse(stringIn(container, "expires_at") ?? "") <= Date.now();
    return isOver ? {} : { container: isJsonObject(wanted) ? { id } : id };
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

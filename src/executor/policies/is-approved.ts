import { canonicalJson } from "../../base/util/canonical-json.ts";
import type { ToolCall } from "../../message/messages.ts";
import { parseInTime } from "../parse-in-time.ts";
import type { ReadyCall } from "../types.ts";

/** Whether a call is the one that was approved. A middleware may have written the same arguments in another way. */
export async function isApproved(
  { call, tool, input, scope }: ReadyCall,
  { toolName, arguments: text }: ToolCall,
): Promise<boolean> {
  // Another one may have taken the place of a deprecated tool.
  if (tool.name !== toolName) return false;
  if (call.arguments === text || isSame(() => [JSON.parse(call.arguments), JSON.parse(text)])) return true;
  const read = await parseInTime(text, tool, scope.signal);
  const validation = read.kind === "value" ? read.value : undefined;
  return validation?.ok === true && isSame(() => [input, validation.value]);
}

/** Whether two values are the same. Those without a JSON form may differ in what cannot be seen. */
function isSame(values: () => readonly [unknown, unknown]): boolean {
  try {
    const [one, other] = values();
    return canonicalJson(one) === canonicalJson(other);
  } catch {
    return false;
  }
}

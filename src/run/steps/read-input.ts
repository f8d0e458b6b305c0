import { parseInTime } from "../../executor/parse-in-time.ts";
import type { ExecutionScope } from "../../executor/types.ts";
import type { ToolCall } from "../../message/messages.ts";
import { toJson } from "../../base/util/to-json.ts";

/** Far more than arguments may come to, with the results that they refer to. */
const limits = { length: 67_108_864, depth: 500 } as const;

/**
 * The input that a tool would get from a call, as JSON; `undefined` where its arguments do not fit, and for what no tool is called.
 * @throws Error for arguments whose check does not end in time, and for more than can be read.
 */
export async function readInput(
  { toolTable, signal }: Pick<ExecutionScope, "toolTable" | "signal">,
  { toolName, arguments: text }: ToolCall,
): Promise<unknown> {
  const tool = toolTable.get(toolName);
  const read = tool && (await parseInTime(text, tool, signal));
  // A later check of the same arguments may be in time.
  if (read?.kind === "timeout") throw new Error(`The check of the arguments of ${toolName} did not finish.`);
  if (read?.kind !== "value" || !read.value.ok) return undefined;
  const { value, isCut } = toJson(read.value.value, limits);
  if (isCut) throw new RangeError(`The arguments of ${toolName} are too long to be read.`);
  return value;
}

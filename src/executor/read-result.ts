import type { ToolResult } from "../message/messages.ts";
import { tool } from "../tool/define.ts";
import type { ToolContext } from "../tool/tool-context.ts";
import type { Tool } from "../tool/types.ts";
import { boundary } from "../base/util/cut-text.ts";
import { valueText } from "./finalize.ts";

/** The name of the tool that reads on in truncated results. */
export const readResultName = "read_result";

/** Which part to read of which result. */
interface ReadInput {
  readonly toolCallId: string;
  readonly from?: number;
  readonly length?: number;
  readonly find?: string;
}

/** Reads on in a truncated result, at most as much at once as its tool allows. */
export const readResult: Tool<ReadInput> = tool<ReadInput>({
  name: readResultName,
  description: "Reads more of a tool's result that was too long to be shown whole.",
  input: {
    type: "object",
    properties: {
      toolCallId: { type: "string", description: "The id of the call, as in the truncated result" },
      from: { type: "integer", minimum: 0, description: "The first character, counted from 0" },
      length: {
        type: "integer",
        minimum: 1,
        description: "How many characters; as many as possible by default",
      },
      find: { type: "string", description: "Begins where this text comes next" },
    },
    required: ["toolCallId"],
    additionalProperties: false,
  },
  execute: read,
});

function read({ toolCallId, from = 0, length, find }: ReadInput, { messages }: ToolContext): string {
  const results = messages.flatMap((message) =>
    message.role === "tool" && message.result.truncated ? [message.result] : [],
  );
  const result = results.findLast((each) => each.toolCallId === toolCallId);
  if (!result) throw new Error(`no result of ${JSON.stringify(toolCallId)} was truncated${others(results)}.`);
  const whole = result.truncated?.text ?? JSON.stringify(result.structuredContent);
  const match = find === undefined ? from : whole.indexOf(find, from);
  if (match < 0) return `${JSON.stringify(find)} does not come after character ${from} of ${whole.length}.`;
  // What was cut by an earlier version has no limit noted.
  const most = result.truncated?.limit ?? valueText(result).length;
  const start = boundary(whole, Math.min(match, whole.length));
  const end = boundary(whole, Math.min(start + Math.min(length ?? most, most), whole.length));
  const rest = end < whole.length ? `${whole.length - end} more follow` : "the end";
  return `[characters ${start} to ${end}, ${rest}]\n${whole.slice(start, end)}`;
}

/** Where the model has the id wrong, the ones it can have meant. */
function others(results: readonly ToolResult[]): string {
  const ids = results.slice(-10).map(({ toolCallId }) => JSON.stringify(toolCallId));
  return ids.length === 0 ? "" : `: there are ${ids.join(", ")}`;
}

import type { JsonSchema } from "../schema/types.ts";
import { result } from "../tool/result.ts";
import type { ToolReturn } from "../tool/types.ts";
import type { ExecResult, TierOptions } from "./types.ts";

/** What tools that run programs return: what code mode declares to programs, too. */
export const execOutput: JsonSchema = {
  type: "object",
  properties: {
    exitCode: { type: "integer" },
    stdout: { type: "string" },
    stderr: { type: "string" },
    ended: {
      enum: ["timeout", "memory", "processes", "output"],
      description: "The limit that ended the program.",
    },
  },
  required: ["exitCode", "stdout", "stderr"],
};

/** A program that was ended is an error; whether one that failed is, depends on the tool. */
export function execReturn(value: ExecResult, isError: boolean): ToolReturn {
  return result({ value, content: execText(value), isError: isError || value.ended !== undefined });
}

/** What a model reads: text as it was printed. JSON of it is longer, and all in one line. The last line is not the program's. */
function execText({ exitCode, stdout, stderr, ended }: ExecResult): string {
  const errors = stderr === "" ? "" : `[stderr]\n${lines(stderr)}`;
  return `${lines(stdout)}${errors}[${ended ? `ended by the limit: ${ended}` : `exit code ${exitCode}`}]`;
}

function lines(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

/** How long a call may take, in milliseconds: so much longer than the program that its output comes back. */
export function toolTimeout({ timeout }: TierOptions): number {
  return timeout + 10_000;
}

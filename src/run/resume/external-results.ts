import { finalize } from "../../executor/finalize.ts";
import { result as toolReturn } from "../../tool/result.ts";
import { isPlainObject } from "../../base/util/json.ts";
import { warn } from "../events/emit.ts";
import type { ActiveRun } from "../state/active-run.ts";
import type { ExternalResult } from "../types.ts";
import { appendResults } from "../turn/append-results.ts";

/** Appends the results of calls that were executed elsewhere. */
export function takeResults(run: ActiveRun, results: readonly ExternalResult[]): void {
  const { pending } = run.conversation;
  for (const { toolCallId, content, isError = false } of results) {
    const call = pending.find((open) => open.toolCallId === toolCallId);
    if (!call) continue;
    const fields = Array.isArray(content) && content.every(isPart) ? { content } : { value: content };
    const { result } = finalize(call, toolReturn({ ...fields, isError }), (text) => warn(run, text));
    appendResults(run, [result]);
  }
}

function isPart(value: unknown): boolean {
  return isPlainObject(value) && ["text", "image", "file"].includes(String(value.type));
}

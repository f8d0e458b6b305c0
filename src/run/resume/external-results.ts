import { InvalidInputError } from "../../errors.ts";
import { describeValue } from "../../base/options/known-options.ts";
import type { ToolCall, ToolResult } from "../../message/messages.ts";
import type { Part } from "../../message/parts.ts";
import { assertParts } from "../../model/assert-parts.ts";
import { finalize } from "../../executor/finalize.ts";
import { result as toolReturn } from "../../tool/result.ts";
import { isPlainObject } from "../../base/util/json.ts";
import { warn } from "../events/emit.ts";
import type { ActiveRun } from "../state/active-run.ts";
import type { ExternalResult } from "../types.ts";
import { assertKnownFields } from "./known-fields.ts";
import { appendResults } from "../turn/append-results.ts";

/** Appends the results of calls that were executed elsewhere. */
export function takeResults(run: ActiveRun, results: readonly ExternalResult[]): void {
  for (const result of results) assertResult(result);
  const { pending } = run.conversation;
  for (const external of results) {
    const call = pending.find((open) => open.toolCallId === external.toolCallId);
    if (call) appendResults(run, [toolResultOf(run, call, external)]);
  }
}

/** The result of a call that was executed elsewhere. */
export function toolResultOf(
  run: ActiveRun,
  call: ToolCall,
  { content, isError = false }: ExternalResult,
): ToolResult {
  const fields = isParts(content) ? { content } : { value: content };
  return finalize(call, toolReturn({ ...fields, isError }), (text) => warn(run, text)).result;
}

const fields = { toolCallId: true, content: true, isError: true } satisfies Record<
  keyof ExternalResult,
  true
>;

/** What is left out or misspelled would be ignored: the model would receive a success that was none. */
function assertResult(result: ExternalResult): void {
  const { toolCallId, content } = result;
  const isError: unknown = result.isError ?? false;
  const thing = `The result that options.results has for the call "${toolCallId}"`;
  assertKnownFields(result, fields, thing, { toolCallId });
  if (content === undefined)
    throw new InvalidInputError(
      `${thing} has no content. Pass a text, parts, or another JSON value; null if there is none.`,
      { toolCallId },
    );
  if (isParts(content))
    assertParts(content, `the result that options.results has for the call "${toolCallId}"`);
  if (typeof isError !== "boolean")
    throw new InvalidInputError(
      `${thing} has an isError that is ${describeValue(isError)}. Pass true or false.`,
      { toolCallId },
    );
}

function isParts(content: unknown): content is readonly Part[] {
  return Array.isArray(content) && content.every(isPart);
}

function isPart(value: unknown): boolean {
  return isPlainObject(value) && ["text", "image", "file"].includes(String(value.type));
}

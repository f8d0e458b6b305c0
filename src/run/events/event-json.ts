import { UnsupportedPartError } from "../../errors.ts";
import type { Blocked, VisibleBlock } from "../../message/run-state.ts";
import type { RunReport, RunResult } from "../result-types.ts";
import { safeMessage } from "../../base/util/error-message.ts";
import { toJson } from "../../base/util/to-json.ts";
import type { RunEvent } from "../types.ts";

/**
 * Has `JSON.stringify(event)` leave out what is for the program alone: context and state, masked values, what errors hold beside
 * name, message, code and an unsupported part. Programs read the event's fields as before.
 */
export function hidePrivateParts(event: RunEvent): void {
  const { type } = event;
  if (type === "tool-end" && (event.error !== undefined || event.value !== undefined)) {
    // A copy of the event must not show them, either.
    hide(event, "value", event.value);
    hideError(event);
  } else if (type === "retry") hideError(event);
  else if (type === "approval-request")
    writeAs(event, () => ({ ...event, input: toJson(event.input).value }));
  else if (type === "run-end") hideFailure(event);
}

function hideError(event: { readonly error?: unknown }): void {
  const { error } = event;
  hide(event, "error", error);
  writeAs(event, () => ({ ...event, ...errorField(error) }));
}

function hideFailure(event: { readonly error?: unknown }): void {
  if (event.error !== undefined) writeAs(event, () => ({ ...event, ...errorField(event.error) }));
}

/** Has `JSON.stringify(result)` leave out context, state and messages, and name the agent: what a browser may see of the end of a run. */
export function hidePrivateReport(result: RunResult): void {
  const { status, finishReason, rawFinishReason, text, output, agent, usage, turns }: RunReport & RunResult =
    result;
  const { pending, warnings } = result;
  const blocked = result.status === "blocked" && visibleBlock(result.blocked);
  const visible = { status, finishReason, rawFinishReason, text, usage, turns, pending };
  writeAs(result, () => ({
    ...visible,
    // What JSON has no form for is written as the model wrote it.
    ...(output !== undefined && { output: toJson(output).value }),
    agent: agent.name,
    warnings: [...warnings],
    ...(blocked && { blocked }),
  }));
}

/** Why a run was blocked is for its program, what the user reads for everybody. */
function visibleBlock({ guard, stage, message }: Blocked): VisibleBlock {
  return { guard, stage, ...(message !== undefined && { message }) };
}

function writeAs(value: object, toJSON: () => unknown): void {
  Object.defineProperty(value, "toJSON", { value: toJSON, configurable: true });
}

function hide(event: object, name: string, value: unknown): void {
  if (value !== undefined)
    Object.defineProperty(event, name, { value, enumerable: false, configurable: true, writable: true });
}

function errorField(error: unknown): { readonly error?: unknown } {
  if (error === undefined) return {};
  const { name = "Error", code }: { readonly name?: unknown; readonly code?: unknown } = Object(error);
  return {
    error: {
      name: typeof error === "object" ? String(name) : "Error",
      message: safeMessage(error),
      ...(typeof code === "string" && { code }),
      ...(error instanceof UnsupportedPartError && error.part !== undefined && { part: error.part }),
    },
  };
}

import type { RunReport, RunResult } from "../result-types.ts";
import { safeMessage } from "../../base/util/error-message.ts";
import { toJson } from "../../base/util/to-json.ts";
import type { RunEvent } from "../types.ts";

/**
 * Has `JSON.stringify(event)` leave out what is for the program alone: context and state, masked values, what errors hold beside
 * name, message and code. Programs read the event's fields as before.
 */
export function hidePrivateParts(event: RunEvent): void {
  switch (event.type) {
    case "tool-end":
      if (event.error === undefined && event.value === undefined) return;
      // A copy of the event must not show them, either.
      hide(event, "error", event.error);
      hide(event, "value", event.value);
      return writeAs(event, () => ({ ...event, ...errorField(event.error) }));
    case "retry":
      hide(event, "error", event.error);
      return writeAs(event, () => ({ ...event, ...errorField(event.error) }));
    case "approval-request":
      return writeAs(event, () => ({ ...event, input: toJson(event.input).value }));
    case "run-end":
      return hideFailure(event);
    case "agent-event":
      if (event.event.type === "run-end") hideFailure(event.event);
  }
}

function hideFailure(event: { readonly error?: unknown }): void {
  if (event.error !== undefined) writeAs(event, () => ({ ...event, ...errorField(event.error) }));
}

/** Has `JSON.stringify(result)` leave out context, state and messages, and name the agent: what a browser may see of the end of a run. */
export function hidePrivateReport(result: RunResult): void {
  const { status, finishReason, rawFinishReason, text, output, agent, usage, turns }: RunReport & RunResult =
    result;
  const { pending, warnings } = result;
  const shown = { status, finishReason, rawFinishReason, text, output, usage, turns, pending };
  writeAs(result, () => ({ ...shown, agent: agent.name, warnings: [...warnings] }));
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
    },
  };
}

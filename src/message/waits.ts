import { isPlainObject } from "../base/util/json.ts";
import type { ToolCall } from "./messages.ts";
import type { PendingCall } from "./run-state.ts";

/** What a tool waits for is a call that it makes, under one of these names. */
export const waitNames = {
  sleep: "context.sleep",
  waitFor: "context.waitFor",
  run: "context.runAgent",
  /** Not of a tool: the run itself waits for the answer of its model. */
  answer: "model.answer",
} as const;

/** Whether a call within another is what its tool waits for. */
export function isWait({ toolName }: Pick<ToolCall, "toolName">): boolean {
  return Object.values<string>(waitNames).includes(toolName);
}

/** Whether a pending call is what a tool waits for: time, a token, or another run. It is not for a client to answer. */
export function isOwnWait(call: PendingCall): boolean {
  return isWait(call) && call.parentToolCallId !== undefined;
}

/** What a run shows as pending that waits for the answer of its model: nobody else can answer it. */
export function answerWait(until: number): PendingCall {
  return {
    toolCallId: waitNames.answer,
    toolName: waitNames.answer,
    arguments: "{}",
    input: { until },
    parentToolCallId: waitNames.answer,
  };
}

/** Until when a pending call sleeps, or when a model is asked again, in milliseconds since 1970; `undefined` if it does neither. */
export function sleepsUntil(call: PendingCall): number | undefined {
  const until = (inputOf(call, waitNames.sleep) ?? inputOf(call, waitNames.answer))?.["until"];
  return typeof until === "number" ? until : undefined;
}

/** Until when a pending call waits for its token, in milliseconds since 1970; `undefined` without limit. */
export function waitsUntil(call: PendingCall): number | undefined {
  const until = inputOf(call, waitNames.waitFor)?.["until"];
  return typeof until === "number" ? until : undefined;
}

/** The token that a pending call waits for; `undefined` if it waits for none. */
export function tokenOf(call: PendingCall): string | undefined {
  const token = inputOf(call, waitNames.waitFor)?.["token"];
  return typeof token === "string" ? token : undefined;
}

/** The id of the run that a pending call waits for: that of an agent which is run on its own. */
export function runOf(call: PendingCall): string | undefined {
  const id = inputOf(call, waitNames.run)?.["run"];
  return typeof id === "string" ? id : undefined;
}

function inputOf(
  { toolName, parentToolCallId, input }: PendingCall,
  name: string,
): Readonly<Record<string, unknown>> | undefined {
  // A model may have called a tool of that name: its calls are not within another.
  return toolName === name && parentToolCallId !== undefined && isPlainObject(input) ? input : undefined;
}

import type { Message, ToolOutcome } from "../message/messages.ts";
import { parseJson } from "./read-json.ts";
import { isExpected, type ExpectedCall } from "./expectations.ts";

/** A call that a model made. */
export interface MadeCall {
  readonly toolCallId: string;
  readonly tool: string;
  /** The arguments as the model wrote them, read as JSON; `undefined` if they are none. */
  readonly arguments: unknown;
  /** The agent that made it. */
  readonly agent?: string;
  /** Which of the user's messages it followed, counted from 0. */
  readonly message: number;
  /** How it ended; absent if it was not executed. */
  readonly outcome?: ToolOutcome;
  /** Whether it passed the lead on. */
  readonly isHandoff: boolean;
}

/** A call that reached a tool, made by a model, a tool, or an agent that a tool runs. */
export interface RunCall {
  /** The tool that the call went to: a deprecated name, or a middleware, may have led there. */
  readonly tool: string;
  /** The arguments as they were written, read as JSON; `undefined` if they are none. */
  readonly arguments: unknown;
  /** The agent in whose run it was made. */
  readonly agent: string;
}

/**
 * The calls in a history, in order.
 * @param handoffs the ids of those that passed the lead on.
 */
export function madeCalls(
  messages: readonly Message[],
  handoffs: ReadonlySet<string> = new Set(),
): MadeCall[] {
  const outcomes = new Map(
    messages.flatMap((message) =>
      message.role === "tool" ? [[message.result.toolCallId, message.result.outcome] as const] : [],
    ),
  );
  let messageIndex = -1;
  return messages.flatMap((message): MadeCall[] => {
    if (message.role === "user" && !message.correction) messageIndex += 1;
    if (message.role !== "assistant") return [];
    return message.toolCalls.map(({ toolCallId, toolName, arguments: raw }) => {
      const outcome = outcomes.get(toolCallId);
      return {
        toolCallId,
        tool: toolName,
        arguments: parseJson(raw),
        ...(message.agent !== undefined && { agent: message.agent }),
        message: Math.max(0, messageIndex),
        ...(outcome !== undefined && { outcome }),
        isHandoff: handoffs.has(toolCallId),
      };
    });
  });
}

/**
 * The calls that passed the lead on, by their ids, as a history shows it: the agent that speaks next is another. Of several
 * calls in one message it is those called `transfer_to_...`, else the last.
 * @param last who has the lead at the end.
 */
export function handoffsIn(messages: readonly Message[], last: string): ReadonlySet<string> {
  const handoffs = new Set<string>();
  let next = last;
  for (const message of messages.toReversed()) {
    if (message.role !== "assistant") continue;
    const { agent = next, toolCalls } = message;
    if (agent !== next) {
      const named = toolCalls.filter(({ toolName }) => toolName.startsWith("transfer_to_"));
      for (const { toolCallId } of named.length > 0 ? named : toolCalls.slice(-1)) handoffs.add(toolCallId);
    }
    next = agent;
  }
  return handoffs;
}

/**
 * The calls that count where `expected` are: no handoffs, unless one of them is expected, and none whose arguments were
 * refused, since the tool was not called.
 */
export function countingCalls(
  calls: readonly MadeCall[],
  expected: readonly ExpectedCall[],
): readonly MadeCall[] {
  const named = new Set(expected.map(toolOf));
  const wantsHandoff = calls.some((call) => call.isHandoff && named.has(call.tool));
  return calls.filter(
    ({ isHandoff, outcome }) => (wantsHandoff || !isHandoff) && outcome !== "invalid-arguments",
  );
}

/** The name of the expected tool. */
export function toolOf(expected: ExpectedCall): string {
  return typeof expected === "string" ? expected : expected.tool;
}

/** Whether a call is the expected one, its arguments included. */
export function isExpectedCall(expected: ExpectedCall, call: MadeCall): boolean {
  if (toolOf(expected) !== call.tool) return false;
  if (typeof expected === "string" || expected.arguments === undefined) return true;
  return isExpected(expected.arguments, call.arguments);
}

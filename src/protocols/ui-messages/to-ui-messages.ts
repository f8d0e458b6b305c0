import { assertKnownOptions } from "../../base/options/known-options.ts";
import type { Message } from "../../message/messages.ts";
import type { PendingCall } from "../../message/run-state.ts";
import { clientCalls } from "../../run/public/client-calls.ts";
import { checkedShow, type ShowOptions } from "../../run/public/show.ts";
import { finalText } from "../../run/resume/unfinished-final.ts";
import { assertHistory } from "../kit/source.ts";
import { type HistoryEntry, historyEntries } from "./history-turns.ts";
import { type CallsOfHistory, pendingById, pendingPart, turnParts } from "./turn-parts.ts";
import type { UIMessage, UIMessagePart } from "./ui-message.ts";
import { userParts } from "./user-parts.ts";

/** How to show a history. */
export interface ToUIMessagesOptions {
  /** What of it is sent: as in the stream. */
  readonly show?: ShowOptions;
  /** The id of a message that begins at an index of the history; `message-<index>` by default. Streams need the same to be found again. */
  readonly messageId?: (index: number) => string;
  /** Whether calls without a result may still get one; `true` by default. `false` where the run has ended. */
  readonly isOpen?: boolean;
}

const optionNames: Readonly<Record<keyof ToUIMessagesOptions, true>> = {
  show: true,
  messageId: true,
  isOpen: true,
};

/** A group of turns. */
type Turns = Extract<HistoryEntry, { readonly turns: unknown }>;

/**
 * A history as messages of `useChat`, for the first rendering of a page: with the parts that the streams of its runs had, but for
 * `data-agent` parts and messages that the user sent while a run worked, which are messages of their own.
 * @param messages - Such as `result.state.messages`, or `messages` of a durable run's `state()`.
 * @param pending - The calls that wait: `result.pending`. Without it they look as if they were being executed.
 * @throws ConfigurationError (`invalid-option`)
 */
export function toUIMessages(
  messages: readonly Message[],
  pending: readonly PendingCall[] = [],
  options: ToUIMessagesOptions = {},
): UIMessage[] {
  assertHistory(messages, "toUIMessages()");
  assertKnownOptions(options, optionNames, "toUIMessages()");
  const { messageId = (index) => `message-${index}`, isOpen = true } = options;
  const show = checkedShow(options.show, "toUIMessages()");
  const entries = historyEntries(messages);
  return entries.map((entry, place): UIMessage => {
    const id = messageId(entry.index);
    if ("user" in entry) return { id, role: "user", parts: userParts(entry.user) };
    const isLast = place === entries.length - 1;
    const agent = entry.turns.at(-1)?.message.agent;
    return {
      id,
      role: "assistant",
      ...(agent !== undefined && { metadata: { agent } }),
      parts: assistantParts(entry, messages, {
        show,
        pending: pendingById(isLast ? clientCalls(pending) : []),
        isOpen: isLast && isOpen,
      }),
    };
  });
}

function assistantParts(
  { turns, end }: Turns,
  messages: readonly Message[],
  calls: CallsOfHistory,
): UIMessagePart[] {
  const parts: UIMessagePart[] = [];
  let lastStep: UIMessagePart[] = [];
  for (const [index, turn] of turns.entries()) {
    const isLast = index === turns.length - 1;
    lastStep = turnParts(turn, { ...calls, isOpen: calls.isOpen && isLast });
    const from = turn.message.agent;
    const to = turns[index + 1]?.message.agent;
    if (from !== undefined && to !== undefined && from !== to)
      lastStep.push({ type: "data-handoff", data: { from, to } });
    if (!isLast) parts.push({ type: "step-start" }, ...lastStep);
  }
  const nested = [...calls.pending.values()].some(({ parentToolCallId }) => parentToolCallId !== undefined);
  if (nested) return [...parts, ...withWaitingStep(lastStep, calls)];
  return [
    ...parts,
    { type: "step-start" },
    ...lastStep,
    ...endParts(lastStep, messages.slice(0, end), turns),
  ];
}

/** All calls that wait in a step of their own, as in the stream. */
function withWaitingStep(step: readonly UIMessagePart[], { pending }: CallsOfHistory): UIMessagePart[] {
  const others = step.filter((part) => !("toolCallId" in part && pending.has(part.toolCallId)));
  const waiting = [...pending].map(([id, call]) => pendingPart(id, call));
  const before: UIMessagePart[] = others.length > 0 ? [{ type: "step-start" }, ...others] : [];
  return [...before, { type: "step-start" }, ...waiting];
}

/** The end of a run whose last answer has calls: the text that a tool gave as the answer, and in any case a last step without calls. */
function endParts(
  step: readonly UIMessagePart[],
  messages: readonly Message[],
  turns: Turns["turns"],
): readonly UIMessagePart[] {
  const { message, results } = turns.at(-1) ?? turns[0];
  if (message.toolCalls.some(({ toolCallId }) => !results.has(toolCallId))) return [];
  const isFinal = [...results.values()].some(({ final }) => final);
  const text = isFinal ? finalText(messages) : "";
  if (text !== "") return [{ type: "step-start" }, { type: "text", text, state: "done" }];
  return step.some((part) => "toolCallId" in part && !part.providerExecuted) ? [{ type: "step-start" }] : [];
}
